"""Trains the reader's small networks on the project's own renders. A development extra: only here is torch imported."""
