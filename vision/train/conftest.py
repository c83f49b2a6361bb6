"""The modules here need torch, which a table never has: without it their doctests are not collected."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") and find_spec("onnx") else ["*.py"]
