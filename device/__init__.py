"""The table itself: camera, buttons, screen and light, and the commands of `undercup`."""

import os

# The products of a reading are small. OpenBLAS would hand them to a thread for each core, and they wait for each other
# spinning: with two other processes at work on two cores a reading took twice as long. It is told before NumPy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
