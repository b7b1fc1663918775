"""One case: a study, the leaves that are held, what the tensors are; and the file it is kept in."""

import collections
import json
import math
import struct

import torch

import archive

INFINITY = float("inf")

# Analyses of every sentence, in the files of the cases that are about them.
ANALYSES = ["metrics.*", "*.metrics", "across.*", "composition.*", "influence", "*.influence", "probe.*"]

CHECKED = collections.Counter()  # other implementations, by the number of cases they agree with

torch.set_default_dtype(torch.float64)


def check_equal(ours, theirs, tolerance=1e-10):
    """The transcription against another implementation; −∞ is equal to itself."""
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    assert torch.allclose(ours, theirs, rtol=tolerance, atol=tolerance), (ours - theirs).abs().max()


def write_safetensors(path, tensors, metadata):
    """[size of the header: u64][header: JSON][values, little endian, row by row]; as float32 where
    nothing is lost by it, else as float64."""
    header, parts, offset = {"__metadata__": metadata}, [], 0
    for name, tensor in tensors.items():
        values = tensor.detach().contiguous().numpy().astype("<f8")
        is_short = bool((values.astype("<f4") == values).all())
        values = values.astype("<f4") if is_short else values
        header[name] = {"dtype": "F32" if is_short else "F64", "shape": list(values.shape),
                        "data_offsets": [offset, offset + values.nbytes]}
        parts.append(values.tobytes())
        offset += values.nbytes
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


class Case:
    """Collects tensors by their paths while a mechanism is computed."""

    def __init__(self, name, study):
        self.name, self.study = name, study
        self.held, self.tensors, self.checked = {}, {}, []
        self.generator = torch.Generator().manual_seed(sum(name.encode()))

    def random(self, *shape, scale=1.0):
        """Normal numbers that are exact in float32."""
        values = torch.randn(*shape, generator=self.generator) * scale
        return values.to(torch.float32).to(torch.float64)

    def leaf(self, path, *shape, scale=None):
        """A leaf held at random values; the same one if its path is known."""
        if path not in self.held:
            scale = 1 / math.sqrt(shape[0]) if scale is None else scale
            self.held[path] = self.random(*shape, scale=scale).requires_grad_()
        return self.held[path]

    def bias(self, path, width):
        return self.leaf(path, 1, width, scale=0.3)

    def hold(self, path, values):
        """A leaf, or a mask, that is held at these values."""
        self.held[path] = values
        return values

    def put(self, path, values):
        """What the tensor at the path has to be."""
        assert values.dim() == 2 and path not in self.tensors, path
        self.tensors[path] = values
        return values

    def path_of(self, tensor):
        """Where a tensor stands."""
        return next(path for path, values in self.tensors.items() if values is tensor)

    def agrees(self, module):
        """Says that another implementation gave the same."""
        if module not in self.checked:
            self.checked.append(module)

    def gradients(self, target):
        """By autograd, of the target's cells weighed by `seed`; zeros where nothing depends."""
        seed = self.random(*self.tensors[target].shape)
        leaves = {path: leaf for path, leaf in self.held.items() if leaf.requires_grad}
        found = torch.autograd.grad((seed * self.tensors[target]).sum(), list(leaves.values()),
                                    allow_unused=True)
        zeros = [torch.zeros_like(leaf) if gradient is None else gradient
                 for leaf, gradient in zip(leaves.values(), found)]
        return {"seed": seed, **{f"gradient/{path}": g for path, g in zip(leaves, zeros)}}

    def write(self, target, omitted=ANALYSES, keep=None):
        """`omitted`: globs of tensors that are not in the file though the study has them.
        `keep` chooses tensors where all of them would be too much."""
        CHECKED.update(self.checked)
        assert all(not values.isnan().any() for values in self.tensors.values()), self.name
        gradients = self.gradients(target)
        held = {f"held/{path}": values for path, values in self.held.items()}
        tensors = self.tensors if keep is None else {path: self.tensors[path] for path in keep}
        metadata = {"study": json.dumps(self.study, ensure_ascii=False), "target": target,
                    "omitted": " ".join(omitted if keep is None else ["*"]),
                    "checked": ", ".join(self.checked)}
        file = archive.unpacked("data") / f"{self.name}.safetensors"
        write_safetensors(file, {**held, **tensors, **gradients}, metadata)
