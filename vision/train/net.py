"""The square finder's network in torch, and its way into ONNX."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from vision.finder import BLOCK

OUTPUTS = 11
"""Channels: heat flat, heat leaning, dx, dy, size, cos 4 yaw, sin 4 yaw, and four classes that only teach: ground,
flat face, side of a flat die, die that does not lie flat."""


def _conv(inside: int, outside: int, size: int = 3, step: int = 1, spread: int = 1) -> nn.Sequential:
    padding = spread * (size - 1) // 2
    layer = nn.Conv2d(inside, outside, size, step, padding, dilation=spread, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class FinderNet(nn.Module):  # type: ignore[misc]
    """Pictures (n, 3, h, w) in -1..1 to cells (n, `OUTPUTS`, h / 8, w / 8).

    A stem to cells of 8 px, two convolutions there, a detour over cells of 16 px that sees a whole die with its
    neighbours, and two more convolutions. The first kernel strides by 4: anything larger in between costs more time
    than all the rest.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 24, 7, 4), _conv(24, 40, 3, 2))
        self.first = nn.Sequential(_conv(40, 40), _conv(40, 40, spread=2))
        self.wide = nn.Sequential(_conv(40, 64, 3, 2), _conv(64, 64), _conv(64, 64, spread=2))
        self.wide_more = nn.Sequential(_conv(64, 64), _conv(64, 64, spread=2))
        self.back = nn.ConvTranspose2d(64, 40, 2, 2)
        self.last = nn.Sequential(_conv(40, 40), _conv(40, 40))
        self.head = nn.Sequential(_conv(40, 64, 1), nn.Conv2d(64, OUTPUTS, 1))
        with torch.no_grad():
            self.head[1].bias[:2] = -4.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        x = x + self.first(x)
        wide = self.wide(x)
        wide = wide + self.wide_more(wide)
        x = x + self.back(wide)
        x = x + self.last(x)
        return self.head(x)


class _Graph:
    """Collects ONNX nodes; convolutions carry their batch norms folded in."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def add(self, kind: str, inputs: list[str], **attributes: object) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def constant(self, values: np.ndarray) -> str:
        return self._kept(np.ascontiguousarray(values, np.float32))

    def shape(self, *lengths: int) -> str:
        return self._kept(np.array(lengths, np.int64))

    def _kept(self, values: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def convolve(self, x: str, layer: nn.Conv2d, norm: nn.BatchNorm2d | None = None) -> str:
        weight, bias = _folded(layer, norm)
        pads = [int(layer.padding[0])] * 2 + [int(layer.padding[1])] * 2
        return self.add(
            "Conv",
            [x, self.constant(weight), self.constant(bias)],
            kernel_shape=list(layer.kernel_size),
            strides=list(layer.stride),
            dilations=list(layer.dilation),
            pads=pads,
        )

    def blocks(self, x: str, layer: nn.Conv2d, norm: nn.BatchNorm2d) -> str:
        """The first convolution as one of 2 x 2 over blocks of `BLOCK` px; see `blocked`."""
        weight, bias = _folded(layer, norm)
        kernels = [x, self.constant(blocked(weight)), self.constant(bias)]
        return self.add("Relu", [self.add("Conv", kernels, kernel_shape=[2, 2], pads=[1, 1, 0, 0])])

    def back(self, x: str, layer: nn.ConvTranspose2d, rows: int, columns: int) -> str:
        """A transposed convolution of 2 x 2 cells without overlap, to twice as many rows and columns.

        It is a convolution of single cells to four values for each plane, which are then laid out as 2 x 2: on OpenCV 5
        that takes half as long as its own transposed convolution and the same numbers come out.
        """
        weight = layer.weight.detach().numpy()
        inside, planes = weight.shape[:2]
        kernels = weight.transpose(1, 2, 3, 0).reshape(planes * 4, inside, 1, 1)
        bias = np.repeat(layer.bias.detach().numpy(), 4)
        x = self.add("Conv", [x, self.constant(kernels), self.constant(bias)], kernel_shape=[1, 1])
        x = self.add("Reshape", [x, self.shape(1, planes, 2, 2, rows, columns)])
        x = self.add("Transpose", [x], perm=[0, 1, 4, 2, 5, 3])
        return self.add("Reshape", [x, self.shape(1, planes, 2 * rows, 2 * columns)])

    def follow(self, x: str, part: nn.Module) -> str:
        """The nodes of a sequential, in order."""
        if isinstance(part, nn.Conv2d):
            return self.convolve(x, part)
        children = list(part.children())
        if len(children) == 3 and isinstance(children[1], nn.BatchNorm2d):
            return self.add("Relu", [self.convolve(x, children[0], children[1])])
        for child in children:
            x = self.follow(x, child)
        return x


def _folded(layer: nn.Conv2d, norm: nn.BatchNorm2d | None) -> tuple[np.ndarray, np.ndarray]:
    weight = layer.weight.detach().numpy()
    bias = layer.bias.detach().numpy() if layer.bias is not None else np.zeros(layer.out_channels, np.float32)
    if norm is None:
        return weight, bias
    gain = norm.weight.detach().numpy() / np.sqrt(norm.running_var.numpy() + norm.eps)
    return weight * gain[:, None, None, None], norm.bias.detach().numpy() + (bias - norm.running_mean.numpy()) * gain


def blocked(weight: np.ndarray) -> np.ndarray:
    """Kernels (n, 3, 7, 7) that stride by 4 px as kernels (n, 48, 2, 2) that stride by a block.

    Of the 8 px that two blocks are long the kernel covers all but the first.
    """
    n, planes = weight.shape[:2]
    padded = np.pad(weight, ((0, 0), (0, 0), (1, 0), (1, 0)))
    parts = padded.reshape(n, planes, 2, BLOCK, 2, BLOCK)
    return parts.transpose(0, 3, 5, 1, 2, 4).reshape(n, planes * BLOCK**2, 2, 2)


def export(net: FinderNet, path: Path, height: int = 432, width: int = 768) -> None:
    """Writes the network for `cv2.dnn`, made for pictures of that size, cut into blocks by `vision.finder.blocks`."""
    net.eval()
    graph = _Graph()
    x = graph.blocks("picture", *list(net.stem[0].children())[:2])
    x = graph.follow(x, net.stem[1])
    x = graph.add("Add", [x, graph.follow(x, net.first)])
    wide = graph.follow(x, net.wide)
    wide = graph.add("Add", [wide, graph.follow(wide, net.wide_more)])
    x = graph.add("Add", [x, graph.back(wide, net.back, height // 16, width // 16)])
    x = graph.add("Add", [x, graph.follow(x, net.last)])
    x = graph.follow(x, net.head)
    inside = [1, 3 * BLOCK**2, height // BLOCK, width // BLOCK]
    write(graph, x, path, inside, [1, OUTPUTS, height // 8, width // 8])


def write(graph: _Graph, last: str, path: Path, inside: list[int], outside: list[int]) -> None:
    """Writes the graph with one input, `picture`, and one output."""
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "undercup",
            [helper.make_tensor_value_info("picture", TensorProto.FLOAT, inside)],
            [helper.make_tensor_value_info(last, TensorProto.FLOAT, outside)],
            graph.weights,
        ),
        opset_imports=[helper.make_opsetid("", 13)],
        producer_name="undercup",
    )
    model.ir_version = 8
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
