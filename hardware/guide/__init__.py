"""What the guide is made of: the wiring from `pins.toml`, sizes from `parameters.toml`, parts from `bom.csv`."""
