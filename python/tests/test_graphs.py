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
