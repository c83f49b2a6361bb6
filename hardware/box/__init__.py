"""The box as source: `parameters` and `panels` are plain Python; `printed`, `assembly` and `pictures` need CAD."""
