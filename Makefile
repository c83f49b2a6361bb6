# Everything a builder of Undercup types. `make` alone lists it; each target does its own set-up.
.DEFAULT_GOAL := help
PY := .venv/bin/python
CODE := referee vision device web hardware tests tools

.PHONY: help setup run test lint types arrows test-opencv4 pytest test-tools picamera2-bed train lock clean

help:  ## list these targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /  make \1|/p' Makefile | while IFS='|' read -r a b; do printf '%-20s %s\n' "$$a" "$$b"; done
	@echo '  make run ARGS="--port 8100" passes words on to `undercup run`; PYTHON=/path/to/python3 chooses the Python.'

setup:  ## make .venv with pinned packages; then .venv/bin/undercup is the command
	@tools/setup.sh

run: setup  ## play at this machine: `undercup run --simulate` on port 8000
	@.venv/bin/undercup run --simulate $(ARGS)

test: setup test-tools lint types arrows test-opencv4 pytest  ## every gate: ruff, mypy, import-linter, OpenCV 4.10, doctests and pytest

lint: setup  ## ruff, both the rules and the format
	@$(PY) -m ruff check $(CODE)
	@$(PY) -m ruff format --check $(CODE)

types: setup  ## mypy, strict, tests included
	@$(PY) -m mypy

arrows: setup  ## import-linter: which room may know which
	@.venv/bin/lint-imports

test-opencv4: setup  ## the reader's tests on OpenCV 4.10, which Debian 13 has
	@tools/setup_opencv4.sh
	@.venv-cv4/bin/python -m pytest -q tests/vision

test-aarch64: setup  ## the reader's tests on a Pi's processor that QEMU pretends; slow, not part of `make test`
	@tools/emulate_aarch64.sh $(ARGS)

pytest: setup test-tools  ## doctests and pytest (ARGS chooses)
	@browser=$$(tools/find_browser --install) && UNDERCUP_BROWSER=$$browser $(PY) -m pytest $(ARGS)

test-tools:
	@tools/find_browser --install >/dev/null
	@tools/need systemd-analyze systemd "The tests of systemd/ need systemd-analyze"
	@tools/need espeak-ng espeak-ng "The tests of the voice need espeak-ng"

picamera2-bed: setup  ## try the camera class with the real picamera2 (needs root, Debian and mmdebstrap; 650 MB, made once)
	@sh tests/picamera2_bed/run.sh

train: setup  ## train the square finder anew (downloads torch)
	@. tools/say.sh && pip_install $(PY) .venv/undercup-train.log -c constraints-train.txt -e '.[train]'
	@$(PY) -m vision.train $(ARGS)

lock: setup  ## write constraints.txt and constraints-train.txt anew from pyproject.toml
	@tools/lock.sh

clean:  ## remove what the other targets made
	rm -rf .venv .venv-cv4 .venv-lock .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache undercup.egg-info build dist
	find $(CODE) -name __pycache__ -prune -exec rm -rf {} +
