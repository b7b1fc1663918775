"""The cases of graphs."""

import itertools

from analysis import influence
from case import Case
from graph import place, read_karate, run_graph
from settings import GRAPH, change, study

# f is isolated, b reads itself, a and e read each other.
SMALL = {"title": "", "directed": True, "nodes": place("abcdefg"),
         "edges": [["a", "b"], ["c", "b"], ["b", "e"], ["b", "b"], ["e", "a"], ["a", "e"],
                   ["d", "b"], ["b", "a"], ["g", "e"]]}
TRIANGLE = {"title": "", "directed": False, "nodes": place("abcd"),
            "edges": [["a", "b"], ["b", "c"], ["c", "a"], ["a", "d"]]}
ONE = {"title": "", "directed": False, "nodes": place("a"), "edges": []}
MECHANISMS = ["gat", "gatv2", "transformer"]


def write(name, graph, self_loops=True, **changes):
    case = Case(name, study("graph", graph=graph, self_loops=self_loops,
                            layer=change(GRAPH, changes)))
    out = run_graph(case)
    target = case.path_of(out)
    case.put("influence", influence(out, case.held["embed"]))
    case.write(target, omitted=[])


def write_all():
    for mechanism in MECHANISMS:
        write(f"graph_{mechanism}_karate", read_karate(), mechanism=mechanism, n_heads=1, d_in=4,
              d_out=3)
        write(f"graph_{mechanism}_one_node", ONE, mechanism=mechanism, n_heads=1, d_in=1, d_out=1)
        write(f"graph_{mechanism}_triangle", TRIANGLE, mechanism=mechanism, n_heads=3,
              activation="none")
        for loops, combine in itertools.product((True, False), ("concat", "mean")):
            name = f"graph_{mechanism}_small_{'loops' if loops else 'no_loops'}_{combine}"
            write(name, SMALL, loops, mechanism=mechanism, combine=combine, slope=0.05,
                  activation="elu" if loops else "none")
        write(f"graph_{mechanism}_edge_features", SMALL, mechanism=mechanism, d_edge=2)
        write(f"graph_{mechanism}_stack", SMALL, mechanism=mechanism, n_layers=3, combine="mean")
        write(f"graph_{mechanism}_stack_edge_features", TRIANGLE, False, mechanism=mechanism,
              n_layers=2, d_edge=3, activation="none")
        write_layers(mechanism)


def write_layers(mechanism):
    """Layers that differ, as PyTorch Geometric's modules are put together."""
    skip = {"output": False, "skip": True} if mechanism == "transformer" else {}
    write(f"graph_{mechanism}_layers", SMALL, mechanism=mechanism, n_layers=2, n_heads=[3, 1],
          d_out=[2, 3], bias=True, last_activation=False, **skip)
    write(f"graph_{mechanism}_layers_mean", TRIANGLE, False, mechanism=mechanism, n_layers=2,
          n_heads=[2, 3], d_out=[3, 2], bias=True, inner_combine="mean", combine="concat",
          activation="relu", d_edge=2, **skip)
    if mechanism == "transformer":
        write("graph_transformer_biases", SMALL, mechanism=mechanism, n_layers=2, bias=True,
              skip=True, combine="mean")
