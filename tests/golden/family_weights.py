"""What the weights of Hugging Face's networks are called in a study: by its paths.

Each function takes a state_dict, the number of layers and of heads. With `is_gradient` the numbers
are gradients of the weights. A nn.Linear has y = x Wᵀ, a study y = x W.
"""

import torch


def row(values):
    return values.reshape(1, -1)


def put_heads(out, place, letter, weight, bias, n_heads):
    """Rows of a nn.Linear, n_heads equal parts of them: blocks.0.attn.heads.0.W_Q …"""
    parts = [None] * n_heads if bias is None else bias.chunk(n_heads)
    for h, (W, b) in enumerate(zip(weight.chunk(n_heads), parts)):
        out[f"{place}.{h}.W_{letter}"] = W.T
        if b is not None:
            out[f"{place}.{h}.b_{letter}"] = row(b)


def put_linear(out, place, what, state, name):
    """mlp.W_in, mlp.b_in of `what` = in."""
    out[f"{place}W_{what}"] = state[f"{name}.weight"].T
    if f"{name}.bias" in state:
        out[f"{place}b_{what}"] = row(state[f"{name}.bias"])


def put_norm(out, place, state, name, added=0.0):
    out[f"{place}.w"] = row(state[f"{name}.weight"]) + added
    if f"{name}.bias" in state:
        out[f"{place}.b"] = row(state[f"{name}.bias"])


def gpt2(state, n_layers, n_heads, is_gradient=False):
    state = {name.removeprefix("transformer."): values for name, values in state.items()}
    out = {"W_E": state["wte.weight"], "W_pos": state["wpe.weight"]}
    put_norm(out, "ln_final", state, "ln_f")
    for layer in range(n_layers):
        theirs, ours = f"h.{layer}", f"blocks.{layer}"
        put_norm(out, f"{ours}.ln1", state, f"{theirs}.ln_1")
        put_norm(out, f"{ours}.ln2", state, f"{theirs}.ln_2")
        # A Conv1D has y = x W.
        parts = state[f"{theirs}.attn.c_attn.weight"].T.chunk(3)
        biases = state[f"{theirs}.attn.c_attn.bias"].chunk(3)
        for letter, W, b in zip("QKV", parts, biases):
            put_heads(out, f"{ours}.attn.heads", letter, W, b, n_heads)
        for what, name in (("attn.{}_O", "attn.c_proj"), ("mlp.{}_in", "mlp.c_fc"),
                           ("mlp.{}_out", "mlp.c_proj")):
            out[f"{ours}.{what.format('W')}"] = state[f"{theirs}.{name}.weight"]
            out[f"{ours}.{what.format('b')}"] = row(state[f"{theirs}.{name}.bias"])
    return out


def gpt_neox(state, n_layers, n_heads, is_gradient=False):
    state = {name.removeprefix("gpt_neox."): values for name, values in state.items()}
    out = {"W_E": state["embed_in.weight"]}
    put_linear(out, "", "U", state, "embed_out" if "embed_out.weight" in state else "lm_head")
    put_norm(out, "ln_final", state, "final_layer_norm")
    for layer in range(n_layers):
        theirs, ours = f"layers.{layer}", f"blocks.{layer}"
        put_norm(out, f"{ours}.ln1", state, f"{theirs}.input_layernorm")
        put_norm(out, f"{ours}.ln2", state, f"{theirs}.post_attention_layernorm")
        name = f"{theirs}.attention.query_key_value"
        # q, k and v of head 0, then those of head 1, …
        W = state[f"{name}.weight"].unflatten(0, (n_heads, 3, -1))
        b = state[f"{name}.bias"].unflatten(0, (n_heads, 3, -1))
        for part, letter in enumerate("QKV"):
            put_heads(out, f"{ours}.attn.heads", letter, W[:, part].flatten(0, 1),
                      b[:, part].flatten(), n_heads)
        put_linear(out, f"{ours}.attn.", "O", state, f"{theirs}.attention.dense")
        put_linear(out, f"{ours}.mlp.", "in", state, f"{theirs}.mlp.dense_h_to_4h")
        put_linear(out, f"{ours}.mlp.", "out", state, f"{theirs}.mlp.dense_4h_to_h")
    return out


def phi(state, n_layers, n_heads, is_gradient=False):
    state = {name.removeprefix("model."): values for name, values in state.items()}
    out = {"W_E": state["embed_tokens.weight"]}
    put_linear(out, "", "U", state, "lm_head")
    put_norm(out, "ln_final", state, "final_layernorm")
    for layer in range(n_layers):
        theirs, ours = f"layers.{layer}", f"blocks.{layer}"
        for norm in ("ln1", "ln2"):  # both read the same norm
            put_norm(out, f"{ours}.{norm}", state, f"{theirs}.input_layernorm")
        for letter, name in zip("QKV", ("q_proj", "k_proj", "v_proj")):
            name = f"{theirs}.self_attn.{name}"
            put_heads(out, f"{ours}.attn.heads", letter, state[f"{name}.weight"],
                      state[f"{name}.bias"], n_heads)
        put_linear(out, f"{ours}.attn.", "O", state, f"{theirs}.self_attn.dense")
        put_linear(out, f"{ours}.mlp.", "in", state, f"{theirs}.mlp.fc1")
        put_linear(out, f"{ours}.mlp.", "out", state, f"{theirs}.mlp.fc2")
    return out


def bert_layers(out, state, n_layers, n_heads, names):
    """`names`: of q, k, v, o, the norms and the dense layers, below a layer."""
    for layer in range(n_layers):
        theirs, ours = f"{names['layers']}.{layer}", f"blocks.{layer}"
        for letter in "QKV":
            name = f"{theirs}.{names[letter]}"
            put_heads(out, f"{ours}.attn.heads", letter, state[f"{name}.weight"],
                      state[f"{name}.bias"], n_heads)
        put_linear(out, f"{ours}.attn.", "O", state, f"{theirs}.{names['O']}")
        put_norm(out, f"{ours}.ln1", state, f"{theirs}.{names['ln1']}")
        put_linear(out, f"{ours}.mlp.", "in", state, f"{theirs}.{names['in']}")
        put_linear(out, f"{ours}.mlp.", "out", state, f"{theirs}.{names['out']}")
        put_norm(out, f"{ours}.ln2", state, f"{theirs}.{names['ln2']}")


BERT = {"layers": "encoder.layer", "Q": "attention.self.query", "K": "attention.self.key",
        "V": "attention.self.value", "O": "attention.output.dense",
        "ln1": "attention.output.LayerNorm", "in": "intermediate.dense", "out": "output.dense",
        "ln2": "output.LayerNorm"}


def bert(state, n_layers, n_heads, is_gradient=False):
    state = {name.removeprefix("bert."): values for name, values in state.items()}
    out = {"W_E": state["embeddings.word_embeddings.weight"],
           "W_pos": state["embeddings.position_embeddings.weight"],
           "W_type": state["embeddings.token_type_embeddings.weight"]}
    put_norm(out, "ln_embed", state, "embeddings.LayerNorm")
    bert_layers(out, state, n_layers, n_heads, BERT)
    head = "cls.predictions"
    out["head.W"] = state[f"{head}.transform.dense.weight"].T
    out["head.b"] = row(state[f"{head}.transform.dense.bias"])
    put_norm(out, "ln_head", state, f"{head}.transform.LayerNorm")
    out["b_U"] = row(state[f"{head}.bias"])
    return out


def roberta(state, n_layers, n_heads, is_gradient=False):
    padding = 1  # the first word has position padding + 1
    state = {name.removeprefix("roberta."): values for name, values in state.items()}
    out = {"W_E": state["embeddings.word_embeddings.weight"],
           "W_pos": state["embeddings.position_embeddings.weight"][padding + 1:],
           "W_type": state["embeddings.token_type_embeddings.weight"]}
    put_norm(out, "ln_embed", state, "embeddings.LayerNorm")
    bert_layers(out, state, n_layers, n_heads, BERT)
    out["head.W"] = state["lm_head.dense.weight"].T
    out["head.b"] = row(state["lm_head.dense.bias"])
    put_norm(out, "ln_head", state, "lm_head.layer_norm")
    out["b_U"] = row(state["lm_head.bias"])
    return out


def distilbert(state, n_layers, n_heads, is_gradient=False):
    state = {name.removeprefix("distilbert."): values for name, values in state.items()}
    out = {"W_E": state["embeddings.word_embeddings.weight"],
           "W_pos": state["embeddings.position_embeddings.weight"]}
    put_norm(out, "ln_embed", state, "embeddings.LayerNorm")
    bert_layers(out, state, n_layers, n_heads, {
        "layers": "transformer.layer", "Q": "attention.q_lin", "K": "attention.k_lin",
        "V": "attention.v_lin", "O": "attention.out_lin", "ln1": "sa_layer_norm",
        "in": "ffn.lin1", "out": "ffn.lin2", "ln2": "output_layer_norm"})
    out["head.W"] = state["vocab_transform.weight"].T
    out["head.b"] = row(state["vocab_transform.bias"])
    put_norm(out, "ln_head", state, "vocab_layer_norm")
    out["b_U"] = row(state["vocab_projector.bias"])
    return out


def llama(state, n_layers, n_heads, n_kv_heads, d_head, is_gradient=False, added=0.0):
    """LLaMA, Mistral, Qwen; `added` to every gain."""
    added = 0.0 if is_gradient else added
    out = {"W_E": state["model.embed_tokens.weight"], "W_U": state["lm_head.weight"].T}
    put_norm(out, "ln_final", state, "model.norm", added)
    for layer in range(n_layers):
        theirs, ours = f"model.layers.{layer}", f"blocks.{layer}"
        put_norm(out, f"{ours}.ln1", state, f"{theirs}.input_layernorm", added)
        put_norm(out, f"{ours}.ln2", state, f"{theirs}.post_attention_layernorm", added)
        for letter, n in (("Q", n_heads), ("K", n_kv_heads), ("V", n_kv_heads)):
            name = f"{theirs}.self_attn.{letter.lower()}_proj"
            assert state[f"{name}.weight"].shape[0] == n * d_head
            place = "heads" if letter == "Q" or n_kv_heads == n_heads else "kv"
            put_heads(out, f"{ours}.attn.{place}", letter, state[f"{name}.weight"],
                      state.get(f"{name}.bias"), n)
        for letter in "qk":
            if f"{theirs}.self_attn.{letter}_norm.weight" in state:
                put_norm(out, f"{ours}.attn.{letter}_norm", state,
                         f"{theirs}.self_attn.{letter}_norm")
        put_linear(out, f"{ours}.attn.", "O", state, f"{theirs}.self_attn.o_proj")
        for what, name in (("gate", "gate_proj"), ("in", "up_proj"), ("out", "down_proj")):
            put_linear(out, f"{ours}.mlp.", what, state, f"{theirs}.mlp.{name}")
    return out


def tied_llama(*arguments, **named):
    """The same where the unembedding is the table of embeddings."""
    out = llama(*arguments, **named)
    del out["W_U"]
    return out


def gemma(*arguments, **named):
    """Gains are 1 + the weight."""
    return tied_llama(*arguments, **named, added=1.0)


def t5_stack(out, state, n_layers, n_heads, d_head, side):
    """`side`: encoder or decoder."""
    parts = ["SelfAttention", "EncDecAttention"][:1 + (side == "decoder")]
    ours_of = {"SelfAttention": "attn", "EncDecAttention": "cross"}
    ln_of = {"SelfAttention": "ln1", "EncDecAttention": "ln_cross"}
    for layer in range(n_layers):
        theirs, ours = f"{side}.block.{layer}.layer", f"{side}.blocks.{layer}"
        for number, part in enumerate(parts):
            for letter in "QKV":
                weight = state[f"{theirs}.{number}.{part}.{letter.lower()}.weight"]
                assert weight.shape[0] == n_heads * d_head
                put_heads(out, f"{ours}.{ours_of[part]}.heads", letter, weight, None, n_heads)
            put_linear(out, f"{ours}.{ours_of[part]}.", "O", state, f"{theirs}.{number}.{part}.o")
            put_norm(out, f"{ours}.{ln_of[part]}", state, f"{theirs}.{number}.layer_norm")
        dense = f"{theirs}.{len(parts)}.DenseReluDense"
        if f"{dense}.wi.weight" in state:
            put_linear(out, f"{ours}.mlp.", "in", state, f"{dense}.wi")
        else:
            put_linear(out, f"{ours}.mlp.", "gate", state, f"{dense}.wi_0")
            put_linear(out, f"{ours}.mlp.", "in", state, f"{dense}.wi_1")
        put_linear(out, f"{ours}.mlp.", "out", state, f"{dense}.wo")
        put_norm(out, f"{ours}.ln2", state, f"{theirs}.{len(parts)}.layer_norm")
    out[f"{side}.blocks.0.attn.rel_bias"] = state[
        f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
    put_norm(out, f"{side}.ln_final", state, f"{side}.final_layer_norm")


def t5(state, n_layers, n_heads, d_head, is_gradient=False):
    out = {"encoder.W_E": state["shared.weight"], "decoder.W_E": state["shared.weight"]}
    if not torch.equal(state["lm_head.weight"], state["shared.weight"]):
        out["W_U"] = state["lm_head.weight"].T
    for side in ("encoder", "decoder"):
        t5_stack(out, state, n_layers, n_heads, d_head, side)
    return out


def t5_encoder(state, n_layers, n_heads, d_head, is_gradient=False):
    out = {}
    t5_stack(out, state, n_layers, n_heads, d_head, "encoder")
    out = {path.removeprefix("encoder."): values for path, values in out.items()}
    return {"W_E": state["shared.weight"]} | out


def vit(state, n_layers, n_heads, is_gradient=False):
    """The class token is the last item; a patch has its pixels side by side, channels last."""
    state = {name.removeprefix("vit."): values for name, values in state.items()}
    positions = state["embeddings.position_embeddings"][0]
    projection = "embeddings.patch_embeddings.projection"
    out = {"W_E": state[f"{projection}.weight"].permute(2, 3, 1, 0).flatten(0, 2),
           "b_E": row(state[f"{projection}.bias"]),
           "class_token": row(state["embeddings.cls_token"]),
           "pos_embed": torch.cat([positions[1:], positions[:1]])}
    put_linear(out, "", "C", state, "classifier")
    put_norm(out, "ln_final", state, "layernorm")
    for layer in range(n_layers):
        theirs, ours = f"layers.{layer}", f"blocks.{layer}"
        put_norm(out, f"{ours}.ln1", state, f"{theirs}.layernorm_before")
        put_norm(out, f"{ours}.ln2", state, f"{theirs}.layernorm_after")
        for letter in "QKV":
            name = f"{theirs}.attention.{letter.lower()}_proj"
            put_heads(out, f"{ours}.attn.heads", letter, state[f"{name}.weight"],
                      state[f"{name}.bias"], n_heads)
        put_linear(out, f"{ours}.attn.", "O", state, f"{theirs}.attention.o_proj")
        put_linear(out, f"{ours}.mlp.", "in", state, f"{theirs}.mlp.fc1")
        put_linear(out, f"{ours}.mlp.", "out", state, f"{theirs}.mlp.fc2")
    return out
