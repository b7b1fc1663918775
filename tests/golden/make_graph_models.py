"""Writes the graph models of tests/golden/models.zip: small random networks of PyTorch Geometric's modules, and what they compute.

    python make_graph_models.py [NAME ...]

A folder has config.json, model.safetensors, graph.json (node-link, with features) and expected.safetensors: of each layer l "patterns.l"
[heads, edges], the edges ordered by the node that reads and then by the one that is read, and "hidden.l" [nodes, width], what the layer
gives after its activation. All is computed in float32."""

import json
import os
import shutil
import sys

import torch
from safetensors.torch import save_file
from torch import nn
from torch_geometric.nn import GATConv, GATv2Conv, TransformerConv

import archive

HERE = archive.unpacked("models")
MODULES = {"gat": GATConv, "gatv2": GATv2Conv, "transformer_conv": TransformerConv}
ACTIVATIONS = {"elu": nn.functional.elu, "relu": nn.functional.relu, "none": lambda x: x}

# h is isolated, b reads itself, a and e are joined in both directions.
NODES = "abcdefgh"
EDGES = ["ab", "cb", "be", "bb", "ea", "ae", "db", "ba", "ge", "fa", "gf"]


def layers(heads, widths, concat):
    return [dict(heads=h, out_channels=w, concat=c) for h, w, c in zip(heads, widths, concat)]


MODELS = {
    "gat": (dict(model_type="gat", in_channels=6, layers=layers([3, 1], [4, 5], [True, True]), activation="elu"), False, torch.float32),
    "gat-mean": (dict(model_type="gat", in_channels=5, layers=layers([2, 1, 3, 2], [4, 3, 5, 2], [False, True, False, True]), activation="relu",
                      negative_slope=0.05, add_self_loops=False, bias=False), True, torch.float16),
    "gatv2": (dict(model_type="gatv2", in_channels=4, layers=layers([4, 2], [3, 5], [True, False]), activation="elu", dropout=0.6, edge_dim=None), False, torch.bfloat16),
    "transformer-conv": (dict(model_type="transformer_conv", in_channels=5, layers=layers([2, 3], [4, 3], [True, False]), activation="relu"), True, torch.float32),
    "transformer-conv-plain": (dict(model_type="transformer_conv", in_channels=5, layers=layers([2, 2], [4, 4], [True, True]), activation="none", bias=False,
                                    root_weight=False), False, torch.float32),
}


def edge_index(directed):
    pairs = {(NODES.index(source), NODES.index(target)) for source, target in EDGES}
    if not directed:
        pairs |= {(target, source) for source, target in pairs}
    return torch.tensor(sorted(pairs)).T


def write_graph(path, features, directed):
    graph = dict(directed=directed, nodes=[dict(id=name, features=row) for name, row in zip(NODES, features.tolist())],
                 links=[dict(source=source, target=target) for source, target in EDGES])
    with open(path, "w") as file:
        json.dump(graph, file)


def make_modules(config, dtype):
    """Weights that matter, exact in the type that they are saved in."""
    options = {key: config[key] for key in ("bias", "negative_slope", "add_self_loops", "root_weight") if key in config}
    generator, width, modules = torch.Generator().manual_seed(11), config["in_channels"], []
    for layer in config["layers"]:
        module = MODULES[config["model_type"]](width, **layer, **options).eval()
        with torch.no_grad():
            for name, parameter in sorted(module.named_parameters()):
                scale = 0.5 if parameter.dim() == 1 else 1.6 / parameter.shape[-1] ** 0.5
                parameter.copy_((scale * torch.randn(parameter.shape, generator=generator)).to(dtype).float())
        modules.append(module)
        width = layer["out_channels"] * (layer["heads"] if layer["concat"] else 1)
    return modules


def make(name):
    config, directed, dtype = MODELS[name]
    modules, edges = make_modules(config, dtype), edge_index(directed)
    features = torch.randn(len(NODES), config["in_channels"], generator=torch.Generator().manual_seed(5))
    expected, x = {}, features
    with torch.no_grad():
        for l, module in enumerate(modules):
            x, (used, alpha) = module(x, edges, return_attention_weights=True)
            order = torch.argsort(used[1] * len(NODES) + used[0])
            x = ACTIVATIONS[config["activation"]](x) if l + 1 < len(modules) else x
            expected[f"patterns.{l}"], expected[f"hidden.{l}"] = alpha[order].T.contiguous(), x
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(config, file, indent=2)
    write_graph(os.path.join(folder, "graph.json"), features, directed)
    save_file({f"convs.{l}.{key}": value.to(dtype).contiguous() for l, module in enumerate(modules) for key, value in module.state_dict().items()},
              os.path.join(folder, "model.safetensors"))
    save_file(expected, os.path.join(folder, "expected.safetensors"), metadata={"kind": "graph"})
    print(name, {key: list(value.shape) for key, value in expected.items()}, sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder)))


if __name__ == "__main__":
    for each in sys.argv[1:] or MODELS:
        make(each)
    archive.pack("models")
