import os
import signal
import subprocess
import sys
import unittest

import numpy as np
import torch
from torch import nn

from headlight_capture import CaptureError, capture

from .reading import Folder, Recording

try:
    import transformers
except ImportError:
    transformers = None


class Tokenizer:
    def convert_ids_to_tokens(self, ids):
        return [f"t{i}" for i in ids]


class Reader(nn.Module):
    """A layer of nn.MultiheadAttention over itself, one over what it is given."""

    def __init__(self, batch_first=True):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(8, 2, batch_first=batch_first)
        self.other_attn = nn.MultiheadAttention(8, 4, batch_first=batch_first)

    def forward(self, x, memory):
        x = self.self_attn(x, x, x, need_weights=False)[0]
        return self.other_attn(x, memory, memory)


def shares(q, k, width, mask=None):
    scores = q @ k.T / np.sqrt(width) + (0 if mask is None else mask)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


class Multihead(Folder):
    def test_self_and_cross_attention_with_queries_keys_and_values(self):
        torch.manual_seed(1)
        model, x, memory = Reader().eval(), torch.randn(2, 3, 8), torch.randn(2, 5, 8)
        own, other = model.self_attn, model.other_attn
        _, wanted = own(x, x, x, average_attn_weights=False)
        before, mean_before = model(x, memory)
        with capture(model, self.path("run"), tokens=[list("abc"), list("def")],
                     source=[list("vwxyz")] * 2, qkv=True):
            after, mean_after = model(x, memory)
        torch.testing.assert_close(after, before)
        torch.testing.assert_close(mean_after, mean_before)
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual(recording.texts(), [list("abc"), list("def")])
        np.testing.assert_allclose(recording.array(1, 0, 1), wanted[1, 1].detach(), atol=1e-6)
        q, k = (recording.array(1, 0, 3, "cross", part) for part in "qk")
        np.testing.assert_allclose(
            recording.array(1, 0, 3, "cross"), shares(q, k, 2), atol=1e-6
        )
        self.assertEqual(recording.array(1, 0, 3, "cross", "v").shape, (5, 2))
        self.assertNotIn("forward", vars(own), "the model is as it was")
        self.assertNotIn("forward", vars(other))
        self.assertFalse(model._forward_hooks or own._forward_hooks)

    def test_sequence_first_and_fast_paths_are_the_same(self):
        torch.manual_seed(2)
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        model, x = nn.TransformerEncoder(layer, 3).eval(), torch.randn(1, 4, 8)
        with torch.no_grad(), capture(model, self.path("run")):
            model(x)
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual(recording.size(), {"kind": "self", "layers": 3, "heads": 2})
        wanted = model.layers[0].self_attn(x, x, x, average_attn_weights=False)[1]
        np.testing.assert_allclose(recording.array(0, 0, 1), wanted[0, 1].detach(), atol=1e-6)
        sequence = Reader(batch_first=False).eval()
        y, memory = torch.randn(3, 2, 8), torch.randn(5, 2, 8)
        with capture(sequence, self.path("first"), qkv=True):
            sequence(y, memory)
        recording = Recording(self.path("first.attention.json"))
        q, k = (recording.array(1, 0, 1, "self", part) for part in "qk")
        np.testing.assert_allclose(recording.array(1, 0, 1), shares(q, k, 4), atol=1e-6)

    def test_an_encoder_and_a_decoder_are_three_kinds(self):
        torch.manual_seed(3)
        model = nn.Transformer(8, 2, 2, 3, 16, batch_first=True).eval()
        with capture(model, self.path("run")):
            model(torch.randn(1, 5, 8), torch.randn(1, 4, 8))
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual([recording.size(kind)["layers"] for kind in ("source", "self", "cross")],
                         [2, 3, 3])
        self.assertEqual(recording.array(0, 2, 1, "cross").shape, (4, 5))
        self.assertEqual(len(recording.texts()[0]), 4)

    def test_tokens_leave_padding_out(self):
        model = Reader().eval()
        with capture(model, self.path("run"), tokens=[["a", "b"], ["c"]], source=[["s"]] * 2):
            model(torch.randn(2, 3, 8), torch.randn(2, 5, 8))
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual(recording.array(0).shape, (2, 2))
        self.assertEqual(recording.array(1, kind="cross").shape, (1, 1))

    def test_what_cannot_be_recorded_is_said(self):
        model = Reader().eval()
        x, memory = torch.randn(1, 3, 8), torch.randn(1, 5, 8)

        def run(said, run_model=lambda: model(x, memory), **settings):
            with self.subTest(said), self.assertRaisesRegex(CaptureError, said):
                with capture(model, self.path("run"), **settings):
                    run_model()

        run("no attention came by", run_model=lambda: None)
        run("has 4 tokens, but the model read 3", tokens=[list("abcd")])
        run("tokens of 2 texts, but 1 came by", tokens=[list("abc")] * 2)
        run("split each text first", tokens=["abc", ["d"]])
        with self.assertRaisesRegex(CaptureError, "the folder"):
            with capture(model, self.path("missing/run")):
                pass
        self.assertFalse(model._forward_hooks)

    def test_a_model_that_fails_is_left_as_it_was(self):
        model = Reader().eval()
        with self.assertRaises(AssertionError):
            with capture(model, self.path("run")):
                model(torch.randn(1, 3, 7), torch.randn(1, 5, 8))
        self.assertNotIn("forward", vars(model.self_attn))
        self.assertEqual(self.names(), [])


class OwnAttention(nn.Module):
    def forward(self, x):
        weights = torch.softmax(x @ x.transpose(1, 2), -1)
        return weights @ x, weights[:, None]


class Others(Folder):
    def test_modules_that_return_their_weights(self):
        model = nn.Sequential()
        model.add_module("attention", OwnAttention())
        x = torch.randn(1, 4, 3)
        with capture(model, self.path("run")):
            weights = model(x)[1]
        np.testing.assert_allclose(
            Recording(self.path("run.attention.json")).array(), weights[0, 0], atol=1e-6
        )


@unittest.skipUnless(transformers, "transformers is not installed")
class Transformers(Folder):
    """Small models with weights drawn from a seed."""

    def compare(self, model, recording, wanted, kind="self", keep=slice(None), text=0):
        for layer, weights in enumerate(wanted):
            for head in range(weights.shape[1]):
                np.testing.assert_allclose(
                    recording.array(text, layer, head, kind),
                    weights[text, head][keep][:, keep].detach(), atol=1e-6,
                )

    def test_gpt2_with_fused_attention_is_switched_for_the_block(self):
        torch.manual_seed(1)
        config = transformers.GPT2Config(
            n_layer=2, n_head=4, n_embd=16, vocab_size=50, n_positions=32,
            bos_token_id=0, eos_token_id=0,
        )
        model = transformers.GPT2LMHeadModel(config).eval()
        model.set_attn_implementation("sdpa")
        ids = torch.tensor([[5, 6, 7, 8], [9, 3, 1, 1]])
        mask = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])
        with capture(model, self.path("run"), tokenizer=Tokenizer(), qkv=True):
            model(input_ids=ids, attention_mask=mask)
        self.assertEqual(model.config._attn_implementation, "sdpa")
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual(recording.texts(), [["t5", "t6", "t7", "t8"], ["t9", "t3"]])
        model.set_attn_implementation("eager")
        wanted = model(input_ids=ids, attention_mask=mask, output_attentions=True).attentions
        self.compare(model, recording, wanted)
        self.compare(model, recording, wanted, keep=slice(2), text=1)
        q, k = (recording.array(0, 1, 2, part=part) for part in "qk")
        causal = np.triu(np.full((4, 4), -np.inf), 1)
        np.testing.assert_allclose(recording.array(0, 1, 2), shares(q, k, 4, causal), atol=1e-6)

    def test_llama_has_keys_of_fewer_heads(self):
        torch.manual_seed(2)
        config = transformers.LlamaConfig(
            num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, hidden_size=16,
            intermediate_size=16, vocab_size=50, max_position_embeddings=32,
        )
        model = transformers.LlamaForCausalLM(config).eval()
        with capture(model, self.path("run"), qkv=True, tokens=list("abcde")):
            model(torch.arange(5)[None])
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual(recording.size()["kv_heads"], 2)
        q, k = (recording.array(0, 1, 3, part=part) for part in "qk")
        causal = np.triu(np.full((5, 5), -np.inf), 1)
        np.testing.assert_allclose(recording.array(0, 1, 3), shares(q, k, 4, causal), atol=1e-6)

    def test_t5_reads_a_source(self):
        torch.manual_seed(3)
        config = transformers.T5Config(
            num_layers=2, num_decoder_layers=3, num_heads=2, d_model=8, d_kv=4, d_ff=8,
            vocab_size=50, decoder_start_token_id=0,
        )
        model = transformers.T5ForConditionalGeneration(config).eval()
        inputs = dict(
            input_ids=torch.tensor([[1, 2, 3, 4]]), decoder_input_ids=torch.tensor([[0, 7, 8]])
        )
        with capture(model, self.path("run"), tokenizer=Tokenizer()):
            model(**inputs)
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual(recording.texts(), [["t0", "t7", "t8"]])
        self.assertEqual(recording.sources(), [["t1", "t2", "t3", "t4"]])
        model.set_attn_implementation("eager")
        wanted = model(**inputs, output_attentions=True)
        self.compare(model, recording, wanted.cross_attentions, "cross")
        self.compare(model, recording, wanted.decoder_attentions, "self")
        self.compare(model, recording, wanted.encoder_attentions, "source")

    def test_bert_leaves_left_and_right_padding_out(self):
        torch.manual_seed(4)
        config = transformers.BertConfig(
            num_hidden_layers=2, num_attention_heads=2, hidden_size=8, intermediate_size=8,
            vocab_size=50, max_position_embeddings=16,
        )
        model = transformers.BertModel(config).eval()
        ids, mask = torch.tensor([[1, 5, 6, 7]]), torch.tensor([[0, 1, 1, 1]])
        with capture(model, self.path("run"), tokenizer=Tokenizer()):
            model(input_ids=ids, attention_mask=mask)
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual(recording.texts(), [["t5", "t6", "t7"]])
        model.set_attn_implementation("eager")
        wanted = model(input_ids=ids, attention_mask=mask, output_attentions=True).attentions
        self.compare(model, recording, wanted, keep=slice(1, None))

    def test_a_cache_is_refused(self):
        config = transformers.GPT2Config(
            n_layer=1, n_head=1, n_embd=4, vocab_size=50, n_positions=32,
            bos_token_id=0, eos_token_id=0,
        )
        model = transformers.GPT2LMHeadModel(config).eval()
        with self.assertRaisesRegex(CaptureError, "use_cache=False"):
            with capture(model, self.path("run")):
                past = model(torch.tensor([[1, 2, 3]])).past_key_values
                model(torch.tensor([[4]]), past_key_values=past)
        settings = dict(max_new_tokens=3, do_sample=False)
        with self.assertRaisesRegex(CaptureError, "use_cache=False"):
            with capture(model, self.path("run")):
                model.generate(torch.tensor([[1, 2, 3]]), **settings)
        with capture(model, self.path("run")):
            model.generate(torch.tensor([[1, 2, 3]]), **settings, use_cache=False)
        texts = Recording(self.path("run.attention.json")).texts()
        self.assertEqual([len(text) for text in texts], [3, 4, 5])


class Processes(Folder):
    """Two processes with torch.distributed over gloo."""

    def run_two(self, *arguments):
        script = os.path.join(os.path.dirname(__file__), "distributed_job.py")
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        environment = dict(os.environ, PYTHONPATH=package, OMP_NUM_THREADS="1")
        job = subprocess.Popen(
            [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2",
             "--rdzv-backend", "c10d", "--rdzv-endpoint", "localhost:0", script,
             self.path("run"), *arguments],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )
        try:
            said = job.communicate(timeout=300)[0]
        finally:
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGKILL)
        self.assertEqual(job.returncode, 0, said[-3000:])
        return Recording(self.path("run.attention.json"))

    def check(self, recording):
        self.assertEqual([len(text) for text in recording.texts()], [3, 5, 4, 6])
        self.assertEqual([text[0] for text in recording.texts()], ["r0a", "r0b", "r1a", "r1b"])
        torch.manual_seed(7)
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        model = nn.TransformerEncoder(layer, 2).eval()
        x = torch.randn(1, 4, 8, generator=torch.Generator().manual_seed(4))
        wanted = model.layers[0].self_attn(x, x, x, average_attn_weights=False)[1]
        np.testing.assert_allclose(recording.array(2, 0, 1), wanted[0, 1].detach(), atol=1e-6)
        self.assertEqual(
            recording.index["shards"],
            ["run.00000-00000.safetensors", "run.00001-00000.safetensors"],
        )
        self.assertEqual(len(self.names()), 3)

    def test_ddp(self):
        self.check(self.run_two("ddp"))

    def test_fsdp(self):
        self.check(self.run_two("fsdp"))

    def test_heads_shared_out(self):
        recording = self.run_two("heads")
        self.assertEqual(recording.size(), {"kind": "self", "layers": 1, "heads": 4, "kv_heads": 4})
        self.assertEqual(recording.texts(), [list("abc")])
        self.assertFalse(np.array_equal(recording.array(head=1), recording.array(head=3)))


if __name__ == "__main__":
    unittest.main()
