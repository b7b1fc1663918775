"""What tiny networks of pretrained families compute, by Hugging Face's own classes.

    python3 -m venv venv
    venv/bin/pip install torch==2.13.0 transformers==5.23.0
    venv/bin/python tests/golden/make_families.py

Each network is made from a config with random weights. family_weights.py says what its weights are
called in a study. One file a network in tests/golden/families.zip, in the form of make_golden.py's
files, with two more entries of the metadata: "vocabulary", the words of the table of embeddings, and
"words", those of the sentence (of the decoder; "source" has those of the encoder). The gradient is
of the weights, by autograd through the same conversion.
"""

import json

import torch
import transformers as hf

import archive
import family_weights as convert
from case import write_safetensors

N_WORDS, WIDTH = 24, 16  # in the vocabulary; d_model
SENTENCE = [5, 9, 2, 5, 17, 11, 9, 3, 20]


def randomize(model, seed):
    """Weights large enough that patterns are far from uniform; exact in float32."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            values = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            if ".q." in name:  # T5 does not divide its scores
                values *= 0.4
            is_gain = parameter.dim() == 1 and name.endswith("weight")
            if parameter.dim() > 1:
                values *= 1.2 if "embed" in name or "wte" in name or "shared" in name \
                    else 1.3 / parameter.shape[-1] ** 0.5
            else:
                values *= 0.3
            parameter.copy_((values + (1.0 if is_gain else 0.0)).to(torch.float32))
    return model.double().eval()


def study(kind="sentence", **layer):
    """Settings go to the group that has them."""
    attention = {"n_heads", "n_kv_heads", "d_k", "d_v", "bias", "output_bias", "qk_norm", "score",
                 "relative", "rotary_pairs", "rotary_base", "rotary_dims", "rotary_scaling",
                 "rotary_factor", "rotary_length", "rotary_low", "rotary_high", "max_distance",
                 "n_buckets", "shared_buckets"}
    mask = {"causal", "window"}
    block = {"parallel", "norm", "mlp", "mlp_gate", "mlp_bias", "d_ff"}
    settings = {"n_layers": 2, "d_model": WIDTH, "positions": "none"}
    for key, value in layer.items():
        group = next((name for name, keys in (("attention", attention), ("mask", mask),
                                              ("block", block)) if key in keys), None)
        (settings.setdefault(group, {}) if group else settings)[key] = value
    text = {"text": "x"} if kind == "sentence" else {"source": "x", "target": "x",
                                                     "mechanism": "transformer"}
    return {"kind": kind, **text, "layer": settings, "seed": 1}


def names(special=None):
    words = [f"w{i}" for i in range(N_WORDS)]
    for place, word in (special or {}).items():
        words[place] = word
    return words


def patterns(tensors, attentions, prefix="", part="attn"):
    for layer, heads in enumerate(attentions):
        for h, pattern in enumerate(heads[0]):
            tensors[f"{prefix}blocks.{layer}.{part}.heads.{h}.pattern"] = pattern


def write(name, settings, converted, tensors, target, words, unlike=(), **more):
    """`unlike`: endings of paths that share a parameter with others, whose gradient is of all."""
    weights, convert_gradients = converted
    generator = torch.Generator().manual_seed(sum(name.encode()))
    seed = torch.randn(*tensors[target].shape, generator=generator).double()
    gradients = convert_gradients(tensors[target], seed, unlike)
    if "W_pos" in gradients:  # a study has as many positions as words
        gradients["W_pos"] = gradients["W_pos"][:len(words)]
    gradients = {f"gradient/{path}": values for path, values in gradients.items()}
    metadata = {"study": json.dumps(settings), "target": target, "omitted": "*",
                "checked": "transformers", "words": " ".join(words), **more}
    held = {f"held/{path}": values for path, values in weights.items()}
    file = archive.unpacked("families") / f"{name}.safetensors"
    short = {path: values.detach().float().double()
             for path, values in (tensors | gradients).items()}
    write_safetensors(file, {**held, **short, "seed": seed}, metadata)
    assert file.stat().st_size < 300_000, (name, file.stat().st_size)
    print(f"{file.stat().st_size // 1000:5} kB  {name}")


def convert_all(model, conversion, arguments):
    """The weights by our paths, and what does the same to their gradients."""
    state = {name: value.detach() for name, value in model.state_dict().items()}

    def convert_gradients(target, seed, unlike):
        model.zero_grad()
        (seed * target).sum().backward()
        parameters = dict(model.named_parameters(remove_duplicate=False))
        gradients = {name: torch.zeros_like(value) if parameters[name].grad is None
                     else parameters[name].grad for name, value in state.items()
                     if name in parameters}
        found = conversion(gradients, *arguments, is_gradient=True)
        return {path: values for path, values in found.items()
                if not any(path.endswith(end) for end in unlike)}

    return conversion(state, *arguments), convert_gradients


def sentence(name, model, conversion, settings, arguments=(), ids=None, special=None,
             final="ln_final.out", unlike=(), **inputs):
    """A network that reads one sentence."""
    ids = SENTENCE if ids is None else ids
    model = randomize(model, 1)
    model.set_attn_implementation("eager")
    out = model(input_ids=torch.tensor([ids]), output_attentions=True, output_hidden_states=True,
                **inputs)
    tensors = {}
    patterns(tensors, out.attentions)
    for layer, hidden in enumerate(out.hidden_states[:-1]):
        tensors[f"blocks.{layer}.resid_pre"] = hidden[0]
    tensors[final] = out.hidden_states[-1][0]
    target = final
    if "logits" in out:
        target = "logits"
        tensors["logits"] = out.logits[0]
    vocabulary = names(special)
    write(name, settings, convert_all(model, conversion, arguments), tensors, target,
          [vocabulary[i] for i in ids], unlike, vocabulary=" ".join(vocabulary))


def gpt2():
    config = hf.GPT2Config(vocab_size=N_WORDS, n_positions=13, n_embd=WIDTH, n_layer=2, n_head=4,
                           n_inner=20)
    sentence("gpt2", hf.GPT2LMHeadModel(config), convert.gpt2, study(
        positions="learned", n_heads=4, bias=True, causal=True, norm="pre", mlp="gelu_tanh",
        d_ff=20, final_norm=True, unembedding="tied"), (2, 4))


def gpt_neox():
    for name, parallel in (("gpt_neox", True), ("gpt_neox_in_turn", False)):
        config = hf.GPTNeoXConfig(
            vocab_size=N_WORDS, hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=2,
            intermediate_size=20, max_position_embeddings=32, use_parallel_residual=parallel,
            rope_parameters={"rope_type": "default", "rope_theta": 10000.0,
                             "partial_rotary_factor": 0.5})
        sentence(name, hf.GPTNeoXForCausalLM(config), convert.gpt_neox, study(
            n_heads=2, bias=True, causal=True, relative="rotary", rotary_pairs="halves",
            rotary_dims=4, norm="pre", mlp="gelu", d_ff=20, parallel=parallel, final_norm=True,
            unembedding="learned"), (2, 2))


def phi():
    config = hf.PhiConfig(
        vocab_size=N_WORDS, hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, intermediate_size=20, max_position_embeddings=32,
        rope_parameters={"rope_type": "default", "rope_theta": 1000.0,
                         "partial_rotary_factor": 0.5})
    sentence("phi", hf.PhiForCausalLM(config), convert.phi, study(
        n_heads=2, bias=True, causal=True, relative="rotary", rotary_pairs="halves",
        rotary_base=1000, rotary_dims=4, norm="pre", mlp="gelu_tanh", d_ff=20, parallel=True,
        final_norm=True, unembedding="learned", unembedding_bias=True), (2, 2), unlike=["ln1.w", "ln1.b", "ln2.w", "ln2.b"])


def bert():
    settings = {"positions": "learned", "embedding_norm": True, "n_heads": 2, "bias": True,
                "norm": "post", "mlp": "gelu", "d_ff": 20, "norm_epsilon": 1e-12,
                "unembedding": "tied", "unembedding_bias": True, "readout": "masked-word"}
    shape = {"vocab_size": N_WORDS, "hidden_size": WIDTH, "num_hidden_layers": 2,
             "num_attention_heads": 2, "intermediate_size": 20, "max_position_embeddings": 14}
    ids = [1, 5, 9, 2, 17, 11, 9, 20, 2]
    last = "blocks.1.resid_post"
    sentence("bert", hf.BertForMaskedLM(hf.BertConfig(**shape, layer_norm_eps=1e-12)),
             convert.bert, study(**settings, token_types=2), (2, 2), ids=ids, final=last,
             special={1: "[CLS]", 2: "[SEP]"},
             token_type_ids=torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1, 1]]))
    sentence("roberta", hf.RobertaForMaskedLM(hf.RobertaConfig(
        **shape, layer_norm_eps=1e-5, type_vocab_size=1, pad_token_id=1)), convert.roberta,
        study(**settings | {"norm_epsilon": 1e-5}, token_types=1), (2, 2),
        ids=[0, 5, 9, 2, 2, 11, 9, 20, 2], final=last, special={0: "<s>", 1: "<pad>", 2: "</s>"})
    sentence("distilbert", hf.DistilBertForMaskedLM(hf.DistilBertConfig(
        vocab_size=N_WORDS, dim=WIDTH, n_layers=2, n_heads=2, hidden_dim=20,
        max_position_embeddings=14)), convert.distilbert, study(**settings), (2, 2), ids=ids,
        final=last, special={1: "[CLS]", 2: "[SEP]"})


LLAMA = {"vocab_size": N_WORDS, "hidden_size": WIDTH, "num_hidden_layers": 2,
         "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 20,
         "max_position_embeddings": 32}
LLAMA_STUDY = {"n_heads": 4, "n_kv_heads": 2, "causal": True, "relative": "rotary",
               "rotary_pairs": "halves", "norm": "pre", "mlp": "silu", "mlp_gate": True,
               "mlp_bias": False, "d_ff": 20, "norm_type": "rms", "norm_epsilon": 1e-6,
               "final_norm": True, "unembedding": "learned"}


def llama():
    scalings = {
        "llama": ({"rope_type": "default", "rope_theta": 500.0}, {"rotary_base": 500}),
        "llama_linear": ({"rope_type": "linear", "factor": 4.0, "rope_theta": 10000.0},
                         {"rotary_scaling": "linear", "rotary_factor": 4}),
        "llama_dynamic": ({"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0},
                          {"rotary_scaling": "dynamic", "rotary_factor": 2, "rotary_length": 5}),
        "llama_3": ({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                     "high_freq_factor": 4.0, "original_max_position_embeddings": 64,
                     "rope_theta": 100.0},
                    {"rotary_scaling": "llama3", "rotary_factor": 8, "rotary_length": 64,
                     "rotary_low": 1, "rotary_high": 4, "rotary_base": 100}),
        "llama_yarn": ({"rope_type": "yarn", "factor": 4.0, "beta_fast": 8.0, "beta_slow": 1.0,
                        "original_max_position_embeddings": 64, "rope_theta": 100.0},
                       {"rotary_scaling": "yarn", "rotary_factor": 4, "rotary_length": 64,
                        "rotary_low": 1, "rotary_high": 8, "rotary_base": 100})}
    for name, (rope, settings) in scalings.items():
        shape = LLAMA | ({"max_position_embeddings": 5} if "dynamic" in name else {})
        config = hf.LlamaConfig(**shape, head_dim=8, rms_norm_eps=1e-6, rope_parameters=rope)
        sentence(name, hf.LlamaForCausalLM(config), convert.llama, study(
            **LLAMA_STUDY | settings, d_k=8, d_v=8), (2, 4, 2, 8))


def llama_kin():
    rope = {"rope_type": "default", "rope_theta": 10000.0}
    config = hf.MistralConfig(**LLAMA, head_dim=4, sliding_window=3, rms_norm_eps=1e-5,
                              rope_parameters=rope)
    sentence("mistral", hf.MistralForCausalLM(config), convert.llama, study(
        **LLAMA_STUDY | {"norm_epsilon": 1e-5}, window=2), (2, 4, 2, 4))
    config = hf.Qwen2Config(**LLAMA, rms_norm_eps=1e-6, rope_parameters=rope,
                            tie_word_embeddings=True)
    sentence("qwen2", hf.Qwen2ForCausalLM(config), convert.tied_llama, study(
        **LLAMA_STUDY | {"unembedding": "tied"}, bias=True, output_bias=False), (2, 4, 2, 4))
    config = hf.Qwen3Config(**LLAMA, head_dim=8, rms_norm_eps=1e-6, rope_parameters=rope)
    sentence("qwen3", hf.Qwen3ForCausalLM(config), convert.llama, study(
        **LLAMA_STUDY, qk_norm=True, d_k=8, d_v=8), (2, 4, 2, 8))
    config = hf.GemmaConfig(**LLAMA | {"num_key_value_heads": 1}, head_dim=8, rms_norm_eps=1e-6,
                            rope_parameters=rope, hidden_activation="gelu_pytorch_tanh")
    sentence("gemma", hf.GemmaForCausalLM(config), convert.gemma, study(
        **LLAMA_STUDY | {"mlp": "gelu_tanh", "n_kv_heads": 1, "unembedding": "tied"},
        embedding_scale=4, d_k=8, d_v=8), (2, 4, 1, 8))


T5 = {"vocab_size": N_WORDS, "d_model": WIDTH, "d_kv": 6, "d_ff": 20, "num_layers": 2,
      "num_heads": 2, "relative_attention_num_buckets": 8, "relative_attention_max_distance": 6}
T5_STUDY = {"n_heads": 2, "d_k": 6, "d_v": 6, "score": "dot", "relative": "buckets",
            "n_buckets": 8, "max_distance": 6, "shared_buckets": True, "norm": "pre",
            "mlp_bias": False, "d_ff": 20, "norm_type": "rms", "norm_epsilon": 1e-6,
            "final_norm": True}


def t5():
    config = hf.T5Config(**T5, feed_forward_proj="relu")
    sentence("t5_encoder", hf.T5EncoderModel(config), convert.t5_encoder,
             study(**T5_STUDY, mlp="relu"), (2, 2, 6))
    tied = {"unembedding": "tied", "logit_scale": WIDTH ** -0.5, "mlp": "relu"}
    encoder_decoder("t5", hf.T5ForConditionalGeneration(config), study(
        "alignment", **T5_STUDY | tied))
    config = hf.T5Config(**T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False)
    gated = {"unembedding": "learned", "mlp": "gelu_tanh", "mlp_gate": True}
    model = hf.T5ForConditionalGeneration(config)
    model.lm_head.weight = torch.nn.Parameter(torch.empty(N_WORDS, WIDTH))  # as in a checkpoint
    encoder_decoder("t5_gated", model, study("alignment", **T5_STUDY | gated))


def encoder_decoder(name, model, settings):
    """The decoder starts with word 0, and its last written word is 1."""
    model = randomize(model, 1)
    model.set_attn_implementation("eager")
    source, target = SENTENCE[:7] + [1], [4, 8, 4, 19, 6]
    out = model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([[0] + target]),
                output_attentions=True, output_hidden_states=True)
    tensors = {"encoder.ln_final.out": out.encoder_last_hidden_state[0], "logits": out.logits[0],
               "decoder.blocks.1.resid_pre": out.decoder_hidden_states[1][0]}
    patterns(tensors, out.encoder_attentions, "encoder.")
    patterns(tensors, out.decoder_attentions, "decoder.")
    patterns(tensors, out.cross_attentions, "decoder.", "cross")
    vocabulary = names({0: "<start>", 1: "<end>"})
    write(name, settings, convert_all(model, convert.t5, (2, 2, 6)), tensors, "logits",
          [vocabulary[i] for i in target], ["W_E"], source=" ".join(vocabulary[i] for i in source), vocabulary=" ".join(vocabulary))


def vit():
    config = hf.ViTConfig(hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=2,
                          intermediate_size=20, image_size=(8, 12), patch_size=4, num_labels=3,
                          layer_norm_eps=1e-12)
    model = randomize(hf.ViTForImageClassification(config), 1)
    model.set_attn_implementation("eager")
    pixels = torch.rand(8, 12, 3, generator=torch.Generator().manual_seed(1))
    out = model(pixel_values=pixels.permute(2, 0, 1)[None].double(), output_attentions=True,
                output_hidden_states=True)
    order = [*range(1, 7), 0]  # a study has the class token after the patches
    tensors = {"logits": out.logits}
    patterns(tensors, [heads[:, :, order][:, :, :, order] for heads in out.attentions])
    for layer, hidden in enumerate(out.hidden_states[:2]):
        tensors[f"blocks.{layer}.resid_pre"] = hidden[0][order]
    settings = {"kind": "image", "pixels": pixels.tolist(), "seed": 1, "layer": {
        "patch": 4, "n_classes": 3, "class_token": "item", "stack": study(
            positions="learned", n_heads=2, bias=True, norm="pre", mlp="gelu", d_ff=20,
            norm_epsilon=1e-12, final_norm=True)["layer"]}}
    write("vit", settings, convert_all(model, convert.vit, (2, 2)), tensors, "logits", [])


def main():
    for file in archive.unpacked("families").glob("*.safetensors"):
        file.unlink()
    for family in (gpt2, gpt_neox, phi, bert, llama, llama_kin, t5, vit):
        family()
    archive.pack("families")


if __name__ == "__main__":
    main()
