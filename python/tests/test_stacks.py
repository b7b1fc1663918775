"""Models that run several stacks of attention in a pass: which is recorded, and what is said."""

import ast
import re
import unittest

import numpy as np
import torch
from torch import nn

from headlight_capture import CaptureError, capture

from .reading import Folder, Recording
from .test_capture import Tokenizer, transformers


def encoder(n_layers=2, heads=2):
    layer = nn.TransformerEncoderLayer(8, heads, 16, batch_first=True)
    return nn.TransformerEncoder(layer, n_layers, enable_nested_tensor=False).eval()


def own_attention(layers, x):
    """Of each layer of an encoder the weights [batch, heads, n, n], computed by torch."""
    weights = []
    for layer in layers:
        weights.append(layer.self_attn(x, x, x, average_attn_weights=False)[1].detach())
        x = layer(x)
    return weights


class StackTest(Folder):
    def record(self, model, *given, **settings):
        """The recording of a pass, or of what `run=` calls."""
        run = settings.pop("run", lambda: model(*given))
        with torch.no_grad(), capture(model, self.path("run"), **settings):
            run()
        return Recording(self.path("run.attention.json"))

    def refusal(self, model, *given, **settings):
        with self.assertRaises(CaptureError) as caught:
            self.record(model, *given, **settings)
        return str(caught.exception)

    def choices(self, said):
        """What a message says that stack= may be."""
        found = re.findall(r"stack=('[^']*'|\([^)]*\)) \(", said)
        return [ast.literal_eval(choice) for choice in found]

    def compare(self, recording, wanted, kind="self"):
        self.assertEqual(recording.size(kind)["layers"], len(wanted))
        for layer, weights in enumerate(wanted):
            for text, heads in enumerate(weights):
                for head, pattern in enumerate(heads):
                    np.testing.assert_allclose(
                        recording.array(text, layer, head, kind), pattern.detach(), atol=1e-6
                    )


class Towers(nn.Module):
    def __init__(self, *towers):
        super().__init__()
        self.towers = nn.ModuleList(towers)

    def forward(self, *texts):
        return [tower(text) for tower, text in zip(self.towers, texts)]


class Twice(nn.Module):
    """One encoder reads two texts."""

    def __init__(self):
        super().__init__()
        self.encoder = encoder()

    def forward(self, question, answer):
        return self.encoder(question).mean() * self.encoder(answer).mean()


class Shared(nn.Module):
    """Three layers that share their weights."""

    def __init__(self, heads=2):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, heads, batch_first=True)
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        for _ in range(3):
            normal = self.norm(x)
            x = x + self.attn(normal, normal, normal)[0]
        return x


class WindowAttention(nn.Module):
    def forward(self, windows):
        weights = torch.softmax(windows @ windows.transpose(1, 2), -1)
        return weights @ windows, weights[:, None]


class Windows(nn.Module):
    """Each text is cut into parts of two tokens; the second layer begins a token later."""

    def __init__(self):
        super().__init__()
        self.first, self.second = WindowAttention(), WindowAttention()

    def forward(self, x):
        x = self.first(x.reshape(-1, 2, 8))[0].reshape(x.shape)
        return self.second(x.roll(1, dims=1).reshape(-1, 2, 8))[0].reshape(x.shape)


class Torch(StackTest):
    def setUp(self):
        super().setUp()
        torch.manual_seed(1)

    def test_two_encoders_are_named_and_each_can_be_chosen(self):
        for heads, lengths in ((4, (3, 5)), (2, (4, 4)), (2, (5, 3))):
            with self.subTest(heads=heads, lengths=lengths):
                model = Towers(encoder(2, 2), encoder(3, heads))
                texts = [torch.randn(2, n, 8) for n in lengths]
                said = self.refusal(model, *texts)
                self.assertIn("2 stacks of attention, but a recording holds one", said)
                for number, sizes in enumerate(("2 layers of 2", f"3 layers of {heads}")):
                    n = lengths[number]
                    self.assertIn(
                        f"(towers.{number}.layers.*.self_attn: {sizes} heads, {n} × {n})", said
                    )
                self.assertEqual(self.choices(said), ["towers.0", "towers.1"])
                for choice, tower, text in zip(self.choices(said), model.towers, texts):
                    recording = self.record(model, *texts, stack=choice)
                    self.compare(recording, own_attention(tower.layers, text))

    def test_an_encoder_that_is_called_twice_is_not_one_of_twice_the_layers(self):
        model, texts = Twice().eval(), [torch.randn(1, 4, 8), torch.randn(1, 4, 8)]
        said = self.refusal(model, *texts)
        self.assertIn("encoder is called 2 times in a pass", said)
        self.assertIn("capture(model.get_submodule('encoder'), …)", said)
        recording = self.record(model.get_submodule("encoder"), run=lambda: model(*texts))
        for number, text in enumerate(texts):
            wanted = own_attention(model.encoder.layers, text)[1][0, 1]
            np.testing.assert_allclose(recording.array(number, 1, 1), wanted, atol=1e-6)

    def test_layers_that_share_their_weights_are_one_stack(self):
        recording = self.record(Shared().eval(), torch.randn(1, 4, 8))
        self.assertEqual(recording.size()["layers"], 3)

    def test_checkpoints_and_gradients_do_not_part_layers(self):
        class Saving(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = encoder(3).train().layers

            def forward(self, x):
                for layer in self.layers:
                    x = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)
                return x

        model = Saving()
        with capture(model, self.path("run")):
            model(torch.randn(1, 4, 8, requires_grad=True)).sum().backward()
        self.assertEqual(Recording(self.path("run.attention.json")).size()["layers"], 3)

    def test_a_compiled_model_is_recorded_uncompiled(self):
        model, x = encoder(), torch.randn(1, 4, 8)
        compiled = torch.compile(model, backend="eager")
        for root in (compiled, model):
            recording = self.record(root, run=lambda: compiled(x))
            self.compare(recording, own_attention(model.layers, x))

    def test_layers_of_different_numbers_of_heads(self):
        model = nn.Sequential(Shared(2), Shared(4)).eval()
        x = torch.randn(1, 3, 8)
        choices = self.choices(self.refusal(model, x))
        self.assertEqual(choices, ["0.attn", "1.attn"])
        self.assertEqual(self.record(model, x, stack=choices[1]).size()["heads"], 4)
        self.assertIn("2 stacks", self.refusal(model, x, stack=choices), "they cannot be one")

    def test_several_choices_are_layers_of_one_stack(self):
        model = Towers(encoder(1), encoder(2))
        texts = [torch.randn(1, 3, 8)] * 2
        recording = self.record(model, *texts, stack=["towers.0", "towers.1"])
        wanted = [own_attention(tower.layers, texts[0]) for tower in model.towers]
        self.compare(recording, wanted[0] + wanted[1])

    def test_two_recordings_of_one_pass(self):
        model, texts = Towers(encoder(), encoder()), [torch.randn(1, n, 8) for n in (3, 5)]
        with torch.no_grad(), capture(model, self.path("a"), stack="towers.0"), \
                capture(model, self.path("b"), stack="towers.1"):
            model(*texts)
        for name, tower, text in zip("ab", model.towers, texts):
            recording = Recording(self.path(f"{name}.attention.json"))
            self.compare(recording, own_attention(tower.layers, text))

    def test_a_choice_that_names_nothing(self):
        said = self.refusal(encoder(), torch.randn(1, 3, 8), stack="vision")
        self.assertIn("stack='vision' names no module whose attention came by", said)
        self.assertEqual(self.choices(said), ["layers"])

    def test_windows_are_not_texts(self):
        model, x = Windows().eval(), torch.randn(3, 4, 8)
        said = self.refusal(model, x)
        self.assertIn("the pattern is of 6 rows of 2 tokens, but the model reads 3 at once", said)
        self.assertIn("capture(model.get_submodule('first'), …)", said)
        self.assertIn("if all layers have the same parts, stack=['first', 'second'] does", said)
        recording = self.record(model, x, stack=["first", "second"])
        self.assertEqual((recording.size()["layers"], len(recording.texts())), (2, 6))
        recording = self.record(model.get_submodule("first"), run=lambda: model(x))
        wanted = model.first(x.reshape(-1, 2, 8))[1]
        np.testing.assert_allclose(recording.array(5), wanted[5, 0], atol=1e-6)

    def test_what_was_run_is_said_where_nothing_came_by(self):
        said = self.refusal(Twice(), run=lambda: None)
        self.assertIn("the model was not called within the block", said)
        said = self.refusal(nn.Linear(8, 8), torch.randn(1, 8))
        self.assertIn("Attention in it and it returns its weights", said)


SIZES = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32)
PATCHES = dict(image_size=32, patch_size=8)


@unittest.skipUnless(transformers, "transformers is not installed")
class Transformers(StackTest):
    """Small models with weights drawn from a seed."""

    def setUp(self):
        super().setUp()
        torch.manual_seed(2)

    def llava(self):
        config = transformers.LlavaConfig(
            vision_config=transformers.CLIPVisionConfig(**SIZES, **PATCHES, projection_dim=16),
            text_config=transformers.LlamaConfig(**dict(SIZES, num_hidden_layers=3), vocab_size=60),
            image_token_index=50, image_token_id=50,
        )
        model = transformers.LlavaForConditionalGeneration(config).eval()
        inputs = dict(input_ids=torch.tensor([[1] + [50] * 16 + [5, 6, 7]]),
                      pixel_values=torch.rand(1, 3, 32, 32))
        return model, inputs

    def test_vision_and_language_are_two_stacks(self):
        model, inputs = self.llava()
        run = lambda: model(**inputs)
        said = self.refusal(model, run=run)
        for stack in (
            "(model.vision_tower.encoder.layers.*.self_attn: 2 layers of 2 heads, 17 × 17)",
            "(model.language_model.layers.*.self_attn: 3 layers of 2 heads, 20 × 20)",
        ):
            self.assertIn(stack, said)
        self.assertEqual(self.choices(said), ["vision_tower", "language_model"])
        language = self.record(model, run=run, stack="language_model", tokenizer=Tokenizer())
        vision = self.record(model, run=run, stack="vision_tower", tokenizer=Tokenizer())
        self.assertEqual(language.texts(), [["t1"] + ["t50"] * 16 + ["t5", "t6", "t7"]])
        patches = vision.index["texts"][0]["patches"]
        self.assertEqual([patches[key] for key in ("rows", "columns", "before")], [4, 4, ["[CLS]"]])
        model.set_attn_implementation("eager")
        with torch.no_grad():
            wanted = model(**inputs, output_attentions=True).attentions
            tower = model.model.vision_tower
            seen = tower(inputs["pixel_values"], output_attentions=True).attentions
        self.compare(self.record(model, run=run, stack="language_model"), wanted)
        self.compare(self.record(model, run=run, stack="vision_tower"), seen)

    def test_each_part_computes_attention_as_before(self):
        model, inputs = self.llava()
        model.set_attn_implementation({"vision_config": "eager", "text_config": "sdpa"})
        before = [config._attn_implementation for config in
                  (model.config, model.config.vision_config, model.config.text_config)]
        self.record(model, run=lambda: model(**inputs), stack="language_model")
        after = [config._attn_implementation for config in
                 (model.config, model.config.vision_config, model.config.text_config)]
        self.assertEqual(after, before)
        self.assertEqual(before[1:], ["eager", "sdpa"])

    def test_two_encoders_of_as_many_tokens_have_their_own(self):
        sizes = dict(SIZES, projection_dim=16)
        config = transformers.CLIPConfig(
            text_config=dict(sizes, vocab_size=60, max_position_embeddings=17, eos_token_id=2,
                             bos_token_id=0, pad_token_id=1),
            vision_config=dict(sizes, **PATCHES), projection_dim=16,
        )
        model = transformers.CLIPModel(config).eval()
        ids = torch.arange(3, 37).view(2, 17)
        inputs = dict(input_ids=ids, pixel_values=torch.rand(1, 3, 32, 32))
        run = lambda: model(**inputs)
        self.assertEqual(self.choices(self.refusal(model, run=run)), ["vision_model", "text_model"])
        text = self.record(model, run=run, stack="text_model", tokenizer=Tokenizer())
        self.assertEqual(text.texts(), [[f"t{i}" for i in row] for row in ids.tolist()])
        seen = self.record(model, run=run, stack="vision_model", tokenizer=Tokenizer())
        self.assertEqual([list(text) for text in seen.index["texts"]], [["patches"]])
        model.set_attn_implementation("eager")
        with torch.no_grad():
            read = model.text_model(ids, output_attentions=True).attentions
            looked = model.vision_model(inputs["pixel_values"], output_attentions=True).attentions
        self.compare(seen, looked)
        self.compare(self.record(model, run=run, stack="text_model"), read)

    def test_a_reader_of_vision_beside_a_language_model(self):
        queries = transformers.Blip2QFormerConfig(
            **SIZES, vocab_size=60, encoder_hidden_size=16, cross_attention_frequency=1
        )
        config = transformers.Blip2Config(
            vision_config=transformers.Blip2VisionConfig(**SIZES, **PATCHES),
            qformer_config=queries,
            text_config=transformers.OPTConfig(
                hidden_size=16, num_hidden_layers=2, num_attention_heads=2, ffn_dim=32,
                word_embed_proj_dim=16, vocab_size=60, max_position_embeddings=32),
            num_query_tokens=4, image_token_index=50,
        )
        model = transformers.Blip2ForConditionalGeneration(config).eval()
        ids = torch.tensor([[50] * 4 + [5, 6, 7]])
        run = lambda: model(input_ids=ids, pixel_values=torch.ones(1, 3, 32, 32))
        said = self.refusal(model, run=run)
        both, language = self.choices(said)
        recording = self.record(model, run=run, stack=both)
        self.assertEqual(
            {size["kind"]: size["layers"] for size in recording.index["attentions"]},
            {"source": 2, "self": 2, "cross": 2},
        )
        self.assertEqual(recording.array(kind="cross").shape, (4, 17))
        self.assertEqual(self.record(model, run=run, stack=language).array().shape, (7, 7))
        reader = self.record(model, run=run, stack="qformer")
        np.testing.assert_array_equal(reader.array(kind="cross"), recording.array(kind="cross"))

    def test_an_encoder_and_a_decoder_whose_modules_are_both_called_encoder(self):
        sizes = dict(SIZES, vocab_size=60, max_position_embeddings=32)
        config = transformers.EncoderDecoderConfig.from_encoder_decoder_configs(
            transformers.BertConfig(**sizes),
            transformers.BertConfig(**sizes, is_decoder=True, add_cross_attention=True),
        )
        model = transformers.EncoderDecoderModel(config).eval()
        inputs = dict(
            input_ids=torch.tensor([[1, 2, 3, 4]]), decoder_input_ids=torch.tensor([[5, 6, 7]])
        )
        run = lambda: model(**inputs)
        recording = self.record(model, run=run, tokenizer=Tokenizer())
        self.assertEqual(recording.texts(), [["t5", "t6", "t7"]])
        self.assertEqual(recording.sources(), [["t1", "t2", "t3", "t4"]])
        model.set_attn_implementation("eager")
        with torch.no_grad():
            wanted = model(**inputs, output_attentions=True)
        self.compare(recording, wanted.encoder_attentions, "source")
        self.compare(recording, wanted.decoder_attentions, "self")
        self.compare(recording, wanted.cross_attentions, "cross")
        decoder = self.record(model, run=run, stack="decoder", tokenizer=Tokenizer())
        self.assertEqual(decoder.sources(), [["t1", "t2", "t3", "t4"]])
        self.compare(decoder, wanted.cross_attentions, "cross")

    def test_shifted_windows_are_refused_and_each_module_can_be_recorded(self):
        config = transformers.SwinConfig(
            image_size=32, patch_size=4, embed_dim=8, depths=[1, 1], num_heads=[2, 4], window_size=4
        )
        model = transformers.SwinModel(config).eval()
        pixels = torch.rand(2, 3, 32, 32)
        said = self.refusal(model, pixels)
        self.assertIn("it cuts each into parts", said)
        self.assertEqual(self.choices(said), ["layers.1"], "which has one window")
        self.assertEqual(self.record(model, pixels, stack="layers.1").size()["heads"], 4)
        name = re.search(r"get_submodule\('(.*?)'\)", said)[1]
        recording = self.record(model.get_submodule(name), run=lambda: model(pixels))
        model.set_attn_implementation("eager")
        with torch.no_grad():
            wanted = model(pixels, output_attentions=True).attentions
        self.compare(recording, wanted[:1])

    def test_advice_for_models_without_weights_works(self):
        sizes = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, vocab_size=60)
        models = [
            transformers.FalconForCausalLM(transformers.FalconConfig(**sizes)),
            transformers.DebertaModel(transformers.DebertaConfig(**sizes, intermediate_size=32)),
            transformers.DebertaV2Model(
                transformers.DebertaV2Config(**sizes, intermediate_size=32)
            ),
        ]
        ids = torch.tensor([[5, 6, 7, 8]])
        for model in models:
            with self.subTest(type(model).__name__):
                model.eval()
                said = self.refusal(model, ids)
                self.assertIn("unless it is called with output_attentions=True", said)
                recording = self.record(model, run=lambda: model(ids, output_attentions=True))
                with torch.no_grad():
                    self.compare(recording, model(ids, output_attentions=True).attentions)

    def test_advice_for_fused_attention_that_cannot_be_switched_works(self):
        def loaded(how):
            config = transformers.Data2VecVisionConfig(**SIZES, **PATCHES)
            return transformers.Data2VecVisionModel._from_config(config, attn_implementation=how).eval()

        pixels, fused, eager = torch.rand(1, 3, 32, 32), loaded("sdpa"), loaded("eager")
        self.assertIn("called with output_attentions=True", self.refusal(fused, pixels))
        said = self.refusal(fused, run=lambda: fused(pixels, output_attentions=True))
        self.assertIn("load it with attn_implementation='eager'", said)
        recording = self.record(eager, run=lambda: eager(pixels, output_attentions=True))
        with torch.no_grad():
            self.compare(recording, eager(pixels, output_attentions=True).attentions)

    def test_weights_in_another_order_are_refused(self):
        config = transformers.XLNetConfig(
            d_model=16, n_layer=2, n_head=2, d_inner=32, vocab_size=60
        )
        model = transformers.XLNetModel(config).eval()
        ids = torch.tensor([[5, 6, 7, 8], [8, 7, 6, 5]])
        said = self.refusal(model, run=lambda: model(ids, output_attentions=True))
        self.assertIn("is not [batch, heads, n, m]: rows do not sum to 1", said)


if __name__ == "__main__":
    unittest.main()
