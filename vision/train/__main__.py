"""`python -m vision.train --steps 8000`: one process renders scenes, another trains the finder and writes weights."""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
import time
from pathlib import Path

import numpy as np
import torch

from vision.train.net import FinderNet, export
from vision.train.scenes import Window, load, write_shards
from vision.train.targets import batch, loss

_WEIGHTS = Path(__file__).parents[1] / "weights"


def main() -> int:
    """Trains for some steps and writes `finder.onnx` beside the state it can be continued from."""
    options = _options()
    torch.set_num_threads(1)
    maker = multiprocessing.get_context("spawn").Process(
        target=write_shards, args=(options.scenes, options.seed), daemon=True
    )
    if not options.no_scenes:
        maker.start()
    # Channels last is a fifth faster on a processor without a graphics card.
    net = FinderNet().to(memory_format=torch.channels_last)
    if options.start:
        net.load_state_dict(torch.load(options.start))
    try:
        train(net, options)
    finally:
        if maker.is_alive():
            maker.terminate()
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--steps", type=int, default=8000, help="how long to train")
    parser.add_argument("--seed", type=int, default=1, help="of the scenes")
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--batch", type=int, default=8, help="windows in a step")
    parser.add_argument("--scenes", type=Path, default=Path("build/scenes"), help="folder for rendered windows")
    parser.add_argument("--no-scenes", action="store_true", help="render none: use what the folder holds")
    parser.add_argument("--start", type=Path, help="a state to go on from (.pt)")
    parser.add_argument("--out", type=Path, default=_WEIGHTS / "finder.onnx", help="where the weights go")
    return parser.parse_args()


def train(net: FinderNet, options: argparse.Namespace) -> None:
    """Trains with a rate that rises for a twentieth of the steps and then falls along a cosine."""
    rng = np.random.default_rng(options.seed)
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-4)
    shown = 0.0
    pool = Pool(options.scenes, rng)
    for step in range(1, options.steps + 1):
        part = step / options.steps
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(part / 0.05 + 0.02, 0.5 + 0.5 * math.cos(math.pi * part))
        pictures, want = batch(pool.draw(options.batch), rng)
        net.train()
        error = loss(net(pictures.to(memory_format=torch.channels_last)), want)
        optimiser.zero_grad(set_to_none=True)
        error.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        value = error.item()
        shown = 0.98 * shown + 0.02 * value if step > 1 else value
        if step % 50 == 0:
            sys.stderr.write(f"{step} steps, {part:.0%}, loss {shown:.3f}, {pool.seen} shards\n")
            keep(net, options.out)
    keep(net, options.out)


def keep(net: FinderNet, out: Path) -> None:
    """Writes the weights, and the state beside them in the working folder of the training."""
    export(net, out)
    torch.save(net.state_dict(), out.with_suffix(".pt"))


class Pool:
    """Windows of the newest shards: a few shards are held, one is exchanged every few batches."""

    def __init__(self, folder: Path, rng: np.random.Generator, held: int = 4, turn: int = 32) -> None:
        self._folder, self._rng, self._held, self._turn = folder, rng, held, turn
        self._shards: list[list[Window]] = []
        self._left = 0
        self._used: dict[str, int] = {}
        self.seen = 0

    def draw(self, count: int) -> list[Window]:
        """Windows at random; waits for the first shard."""
        if self._left == 0 or not self._shards:
            self._exchange()
        self._left -= 1
        shards = self._rng.integers(len(self._shards), size=count)
        return [self._shards[s][int(self._rng.integers(len(self._shards[s])))] for s in shards]

    def _exchange(self) -> None:
        while not (paths := sorted(self._folder.glob("shard_?????.npz"))):
            time.sleep(1)
        path = min(paths, key=lambda p: (self._used.get(p.name, 0), -int(p.stem[-5:])))
        self._used[path.name] = self._used.get(path.name, 0) + 1
        self._shards = [*self._shards[-self._held + 1 :], load(path)]
        self._left, self.seen = self._turn, self.seen + 1


if __name__ == "__main__":
    sys.exit(main())
