"""What to buy, cut, print and wire. A package only so that `pins.toml` travels in the wheel beside the program."""
