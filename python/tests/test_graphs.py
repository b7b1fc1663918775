"""Attention on edges, by hand and from modules of PyTorch Geometric."""

import json
import os
import tempfile
import unittest

import numpy as np
import torch
from safetensors.numpy import load_file as arrays_of

from headlight_capture import CaptureError, Writer, capture_graph, write_graph


EDGES = np.array([[2, 1, 1, 0], [1, 2, 0, 1]])


class GraphTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "run")

    def index(self):
        with open(self.path + ".attention.json", encoding="utf-8") as file:
            return json.load(file)

    def arrays(self):
        return arrays_of(os.path.join(os.path.dirname(self.path), self.index()["shards"][0]))

    def test_layers_may_differ_in_their_heads(self):
        first, last = np.random.default_rng(1).random((4, 8)), np.random.default_rng(2).random((4, 1))
        write_graph(self.path, [(EDGES, first), (EDGES, last)], ["a", "b", "c"])
        index = self.index()
        self.assertEqual(index["texts"], [{"nodes": ["a", "b", "c"], "edges": EDGES.tolist()}])
        self.assertEqual(index["attentions"], [{"kind": "edges", "layers": 2, "heads": [8, 1]}])
        for head in range(8):
            np.testing.assert_array_equal(
                self.arrays()["0.edges.0.pattern"][0, head, :, 0], first[:, head].astype(np.float32)
            )
        self.assertEqual(self.arrays()["0.edges.1.pattern"].shape, (1, 1, 4, 1))

    def test_queries_keys_and_values_of_nodes(self):
        alpha, q = np.ones((4, 2)), np.random.default_rng(3).random((3, 2, 5), dtype=np.float32)
        with Writer(self.path) as writer:
            writer.add_graph(EDGES, {"pattern": [alpha], "q": [q], "k": [q], "v": [q[:, :, :4]]}, 3)
        self.assertEqual(
            self.index()["attentions"],
            [{"kind": "edges", "layers": 1, "heads": 2, "d_k": 5, "d_v": 4}],
        )
        np.testing.assert_array_equal(self.arrays()["0.edges.0.q"][0, 1], q[:, 1])

    def test_sources_and_targets_may_be_different_nodes(self):
        edges, alpha = np.array([[0, 1, 2], [0, 0, 1]]), np.ones((3, 2))
        for named in (["Ada", "Bob", "Cy"], ["Dune", "Emma"]), ("abc", ["x", "y"]):
            write_graph(self.path, [(edges, alpha)], tuple(map(list, named)))
            self.assertEqual(
                self.index()["texts"],
                [{"nodes": [*named[0], *named[1]], "edges": [[0, 1, 2], [3, 3, 4]]}],
            )
        cases = [
            ((list("ab"), list("xy")), "edge 2 has the source 2, but there are 2 sources"),
            ((list("abc"), ["x"]), "edge 2 has the target 1, but there are 1 targets"),
            ((list("abc"), list("xa")), "two nodes are called 'a'"),
        ]
        for nodes, message in cases:
            with self.assertRaisesRegex(CaptureError, message):
                write_graph(self.path, [(edges, alpha)], nodes)
        computed = np.zeros((2, 8))
        said = "2 nodes were computed: .* nodes=\\(sources, targets\\)"
        with self.assertRaisesRegex(CaptureError, said):
            write_graph(self.path, [(computed, (edges, alpha))])
        write_graph(self.path, [(computed, (edges, alpha))], (list("abc"), list("xy")))

    def test_what_is_wrong_is_said(self):
        alpha = np.ones((4, 2))
        cases = [
            (([(EDGES, alpha[:3])],), "must be \\[E, heads\\] of 4 edges"),
            (([(EDGES, alpha), (EDGES[:, ::-1], alpha)],), "layer 1 has other edges than layer 0"),
            (([(EDGES, alpha)], ["a", "b"]), "edge 0 leads from node 2 to node 1, but there are 2"),
            (([(EDGES[:, [0, 1, 0, 3]], alpha)],), "edges 0 and 2 both lead from node 2 to node 1"),
            (([(EDGES * 1.0, alpha)],), "not whole numbers"),
            (([(EDGES[0], alpha)],), "must be \\[2, E\\]"),
            (([alpha],), "return_attention_weights=True"),
        ]
        for given, message in cases:
            with self.assertRaisesRegex(CaptureError, message):
                write_graph(self.path, *given)

    def net(self):
        try:
            from torch_geometric.nn import GATv2Conv, TransformerConv
        except ImportError:
            self.skipTest("there is no PyTorch Geometric")

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.first = GATv2Conv(5, 4, heads=3)
                self.last = GATv2Conv(12, 2, heads=1)

            def forward(self, x, edges):
                return self.last(torch.relu(self.first(x, edges)), edges)

        torch.manual_seed(0)
        return Net().eval(), TransformerConv(5, 4, heads=2).eval()

    def check_alpha(self, layer, edges, returned):
        """The recorded layer is what a module of PyTorch Geometric returned."""
        returned_edges, alpha = returned
        self.assertEqual(self.index()["texts"][0]["edges"], edges)
        np.testing.assert_allclose(
            self.arrays()[f"0.edges.{layer}.pattern"][0, :, :, 0], alpha.numpy().T, atol=1e-6
        )
        self.assertEqual(returned_edges.shape[1], len(edges[0]))

    def test_edges_between_two_kinds_of_nodes(self):
        self.net()
        from torch_geometric.nn import GATConv

        class Rates(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = GATConv((8, 6), 4, heads=2, add_self_loops=False)

            def forward(self, users, items, edges):
                return self.conv((users, items), edges)

        model, users, items = Rates().eval(), torch.randn(3, 8), torch.randn(2, 6)
        edges = torch.tensor([[0, 1, 2, 2], [0, 0, 1, 0]])
        with torch.no_grad():
            with capture_graph(model, self.path):
                model(users, items, edges)
            wanted = model.conv((users, items), edges, return_attention_weights=True)[1]
        names = [f"source {i}" for i in range(3)] + ["target 0", "target 1"]
        self.assertEqual(self.index()["texts"][0]["nodes"], names)
        self.check_alpha(0, [[0, 1, 2, 2], [3, 3, 4, 3]], wanted)
        with torch.no_grad(), capture_graph(model, self.path, nodes=(list("abc"), list("xy"))):
            model(users, items, edges)
        self.assertEqual(self.index()["texts"][0]["nodes"], list("abcxy"))
        for nodes in (list("abcxy"), (list("ab"), list("xy")), list("abc")):
            with self.assertRaisesRegex(CaptureError, "from 3 nodes to 2 others: nodes=\\(sources"):
                with torch.no_grad(), capture_graph(model, self.path, nodes=nodes):
                    model(users, items, edges)
        users, items = torch.randn(3, 8), torch.randn(3, 6)  # as many of both are still two kinds
        with torch.no_grad(), capture_graph(model, self.path):
            model(users, items, edges)
        self.assertEqual(len(self.index()["texts"][0]["nodes"]), 6)

    def test_nodes_without_edges_and_targets_that_are_the_first_sources(self):
        net, conv = self.net()
        x, edges = torch.randn(5, 5), torch.tensor(EDGES)
        for given in (x, (x, x), (x, x[:3])):
            with torch.no_grad(), capture_graph(conv, self.path):
                conv(given, edges)
            self.assertEqual(self.index()["texts"][0], {"nodes": 5, "edges": EDGES.tolist()})
        with self.assertRaisesRegex(CaptureError, "nodes= has 3 nodes, but the model reads 5"):
            with torch.no_grad(), capture_graph(conv, self.path, nodes=list("abc")):
                conv(x, edges)

    def hetero(self):
        self.net()
        from torch_geometric.nn import GATConv, HeteroConv

        class Hetero(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.convs = torch.nn.ModuleList(HeteroConv({
                    ("user", "rates", "item"): GATConv((6, 6), 6, add_self_loops=False),
                    ("item", "rated", "user"): GATConv((6, 6), 6, add_self_loops=False),
                }) for _ in range(2))

            def forward(self, x, edges):
                for conv in self.convs:
                    x = {kind: nodes.relu() for kind, nodes in conv(x, edges).items()}
                return x

        return Hetero().eval()

    def test_edges_of_several_kinds_are_several_graphs(self):
        model = self.hetero()
        kinds = ("user", "rates", "item"), ("item", "rated", "user")
        for pairs, sizes in (([[0, 1, 2], [0, 1, 0]], (3, 2)), ([[0, 1, 2], [1, 0, 2]], (3, 3))):
            x = {"user": torch.randn(sizes[0], 6), "item": torch.randn(sizes[1], 6)}
            edges = {kinds[0]: torch.tensor(pairs)}
            # With as many of both kinds and edges that are alike, sizes do not tell the kinds apart.
            edges[kinds[1]] = edges[kinds[0]].flip(0) if sizes == (3, 2) else edges[kinds[0]]
            with self.assertRaises(CaptureError) as caught, torch.no_grad():
                with capture_graph(model, self.path):
                    model(x, edges)
            for choice in ("<user___rates___item>", "<item___rated___user>"):
                said = f"stack='{choice}' (convs.*.convs.{choice}: 2 layers of 1 head, "
                self.assertIn(said, str(caught.exception))
            with torch.no_grad(), capture_graph(model, self.path, stack="<user___rates___item>"):
                model(x, edges)
            self.assertEqual(self.index()["attentions"], [{"kind": "edges", "layers": 2, "heads": 1}])
            placed = [pairs[0], [target + sizes[0] for target in pairs[1]]]
            for layer, conv in enumerate(model.convs):
                first = conv.convs[kinds[0]]
                with torch.no_grad():
                    returned = first((x["user"], x["item"]), edges[kinds[0]],
                                     return_attention_weights=True)[1]
                    x = {kind: nodes.relu() for kind, nodes in conv(x, edges).items()}
                self.check_alpha(layer, placed, returned)

    def test_one_layer_on_two_graphs(self):
        _, conv = self.net()

        class Twice(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = conv

            def forward(self, x, edges, others):
                return self.conv(x, edges) + self.conv(x, others)

        model, x, edges = Twice(), torch.randn(3, 5), torch.tensor(EDGES)
        for others in (edges.flip(0)[:, :3], edges):
            with self.assertRaises(CaptureError) as caught, torch.no_grad():
                with capture_graph(model, self.path):
                    model(x, edges, others)
            self.assertIn("conv is called on 2 graphs in a pass", str(caught.exception))
            with torch.no_grad(), capture_graph(model.get_submodule("conv"), self.path):
                model(x, edges, others)
            recorded = [text["edges"] for text in self.index()["texts"]]
            self.assertEqual(recorded, [edges.tolist(), others.tolist()])

    def test_a_model_of_pytorch_geometric_is_recorded_as_it_computes(self):
        net, conv = self.net()
        x, edges = torch.randn(3, 5), torch.tensor(EDGES)
        with torch.no_grad():
            plain = net(x, edges)
            with capture_graph(net, self.path, nodes=["a", "b", "c"]):
                recorded = net(x, edges)
            hidden, (own, first) = net.first(x, edges, return_attention_weights=True)
            _, (_, last) = net.last(torch.relu(hidden), edges, return_attention_weights=True)
        self.assertTrue(torch.equal(plain, recorded))
        self.assertEqual(self.index()["texts"][0]["edges"], own.tolist())  # with self-loops
        for layer, alpha in enumerate((first, last)):
            for head in range(alpha.shape[1]):
                np.testing.assert_array_equal(
                    self.arrays()[f"0.edges.{layer}.pattern"][0, head, :, 0], alpha[:, head].numpy()
                )
        with torch.no_grad():
            returned = conv(x, edges, return_attention_weights=True)
        write_graph(self.path, [returned])
        np.testing.assert_array_equal(
            self.arrays()["0.edges.0.pattern"][0, :, :, 0], returned[1][1].numpy().T
        )
        with self.assertRaisesRegex(CaptureError, "no module of the model"):
            with capture_graph(torch.nn.Linear(2, 2), self.path):
                pass
