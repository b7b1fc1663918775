"""Writes tests/golden/sweeps.zip: what sweeps and path patching find in the models of models.zip, by hooks on `transformers`.

    python make_sweeps.py [NAME ...]

Each file holds changes of the logit of word 5 minus that of word 9 after the last token, or in place of [MASK] (the metadata say the row),
or of the mean loss of the next tokens, the difference of their probabilities, or the divergence KL(before ‖ after) of all words there:
"zero", "mean", "patch", "zero_loss", "zero_probability" and "zero_divergence" [layers, heads], one head at a time; "patch_tokens"
[1 + layers, tokens], one token of the residual stream before the first layer or after one at a time (Meng et al. 2022); "layers" [layers, 2], each attention and each MLP replaced by
its mean; "to_q", "to_k", "to_v", "to_all" [1, heads] of path patching from layer 0 to head 2 of layer 1 (heads as they are, MLPs computed
anew, Wang et al. 2022), "to_logits" [layers, heads] of the path to the logits alone. Patches come from the text B of the metadata. And
"composition_q", "composition_k", "composition_v" [heads of layer 1, heads of layer 0]: Frobenius norms of products over products of norms
(Elhage et al. 2021) of full d_model × d_model circuits, whose weights have the gains of the norms before them folded in, and the
subtraction of the mean where the norm does that. A model that fills in a word has neither losses nor compositions."""

import os
import sys

import torch
import transformers as t
from safetensors import safe_open
from safetensors.torch import save_file
from tokenizers import Tokenizer

import archive
from make_models import HERE, TOKENIZERS

OUT = archive.unpacked("sweeps")
RECEIVER = (1, 2)
OTHERS = ["The dog didn't cross the street; the dog", "The cat didn't leave the street; the dog", "The cat didn't cross the street, the cat",
          "The cat didn't cross the street; the tac"]


class GPT2:
    def __init__(self, model):
        self.blocks, self.norm_of = model.transformer.h, lambda b: b.ln_1

    def z_module(self, b): return b.attn.c_proj
    def attention(self, b): return b.attn.c_proj
    def mlp(self, b): return b.mlp
    def input_modules(self, b): return {"qkv": b.attn.c_attn}

    def slices(self, h, d, n_heads):
        return {"q": ("qkv", h * d), "k": ("qkv", (n_heads + h) * d), "v": ("qkv", (2 * n_heads + h) * d)}

    def weights(self, b, h, d, n_heads):
        W, n = b.attn.c_attn.weight, n_heads * d
        return [W[:, part * n + h * d: part * n + (h + 1) * d] for part in range(3)] + [b.attn.c_proj.weight[h * d:(h + 1) * d]]


class Llama:
    def __init__(self, model):
        self.blocks, self.norm_of = model.model.layers, lambda b: b.input_layernorm
        self.group = model.config.num_attention_heads // model.config.num_key_value_heads

    def z_module(self, b): return b.self_attn.o_proj
    def attention(self, b): return b.self_attn.o_proj
    def mlp(self, b): return b.mlp
    def input_modules(self, b): return {"q": b.self_attn.q_proj, "k": b.self_attn.k_proj, "v": b.self_attn.v_proj}

    def slices(self, h, d, n_heads):
        g = h // self.group
        return {"q": ("q", h * d), "k": ("k", g * d), "v": ("v", g * d)}

    def weights(self, b, h, d, n_heads):
        a, g = b.self_attn, h // self.group
        rows = [a.q_proj.weight[h * d:(h + 1) * d], a.k_proj.weight[g * d:(g + 1) * d], a.v_proj.weight[g * d:(g + 1) * d]]
        return [r.T for r in rows] + [a.o_proj.weight[:, h * d:(h + 1) * d].T]


class NeoX:
    def __init__(self, model):
        self.blocks, self.norm_of = model.gpt_neox.layers, lambda b: b.input_layernorm

    def z_module(self, b): return b.attention.dense
    def attention(self, b): return b.attention.dense
    def mlp(self, b): return b.mlp
    def input_modules(self, b): return {"qkv": b.attention.query_key_value}

    def slices(self, h, d, n_heads):
        return {"q": ("qkv", 3 * h * d), "k": ("qkv", (3 * h + 1) * d), "v": ("qkv", (3 * h + 2) * d)}

    def weights(self, b, h, d, n_heads):
        W = b.attention.query_key_value.weight
        return [W[(3 * h + part) * d:(3 * h + part + 1) * d].T for part in range(3)] + [b.attention.dense.weight[:, h * d:(h + 1) * d].T]


class Bert:
    """Every word reads every word; norms come after the sums, so a layer's stream is what its last norm gives."""

    def __init__(self, model):
        self.blocks = model.bert.encoder.layer

    def z_module(self, b): return b.attention.output.dense
    def attention(self, b): return b.attention.output.dense
    def mlp(self, b): return b.output.dense
    def input_modules(self, b): return {"q": b.attention.self.query, "k": b.attention.self.key, "v": b.attention.self.value}
    def slices(self, h, d, n_heads): return {name: (name, h * d) for name in "qkv"}


MODELS = {"gpt2": (t.GPT2LMHeadModel, GPT2), "llama": (t.LlamaForCausalLM, Llama), "neox": (t.GPTNeoXForCausalLM, NeoX),
          "bert": (t.BertForMaskedLM, Bert)}
# The texts of models that fill in a word: A with a mask, whose logits are asked for, and B.
MASKED = {"bert": ("The cat was [MASK]; it didn't cross the street", "The street was [MASK]; it didn't cross the cat")}


class Network:
    """Runs the model with outputs replaced: keys are ("z" | "attention" | "mlp" | input name, layer)."""

    def __init__(self, model, kind):
        self.model, self.kind = model, kind(model)
        self.n_heads = model.config.num_attention_heads
        self.d = model.config.hidden_size // self.n_heads
        self.n_layers = len(self.kind.blocks)

    def run(self, ids, change=None):
        """Logits and everything that was seen; `change` takes a key and a tensor [n, width], and returns what takes its place."""
        seen, hooks = {}, []
        change = change or (lambda key, x: x)

        def see(key, x):
            x = change(key, x[0].clone())
            seen[key] = x.clone()
            return x[None]

        first = self.kind.blocks[0]
        hooks.append(first.register_forward_pre_hook(lambda m, i: (see(("stream", 0), i[0]), *i[1:])))
        for l, block in enumerate(self.kind.blocks):
            hooks.append(block.register_forward_hook(
                lambda m, i, o, l=l: (see(("stream", l + 1), o[0]), *o[1:]) if isinstance(o, tuple) else see(("stream", l + 1), o)))
            hooks.append(self.kind.z_module(block).register_forward_pre_hook(lambda m, i, l=l: (see(("z", l), i[0]),)))
            hooks.append(self.kind.attention(block).register_forward_hook(lambda m, i, o, l=l: see(("attention", l), o)))
            hooks.append(self.kind.mlp(block).register_forward_hook(lambda m, i, o, l=l: see(("mlp", l), o)))
            for name, module in self.kind.input_modules(block).items():
                hooks.append(module.register_forward_hook(lambda m, i, o, l=l, name=name: see((name, l), o)))
        with torch.no_grad():
            logits = self.model(input_ids=ids).logits[0]
        for hook in hooks:
            hook.remove()
        return logits, seen

    def of_head(self, h):
        return slice(h * self.d, (h + 1) * self.d)


def difference(logits, ids, row):
    return (logits[row, 5] - logits[row, 9]).item()


def loss(logits, ids, row):
    return torch.nn.functional.cross_entropy(logits[:-1], ids[0, 1:]).item()


def probability(logits, ids, row):
    p = logits[row].softmax(-1)
    return (p[5] - p[9]).item()


class Sweeps:
    def __init__(self, network, ids, other_ids, row):
        self.network, self.ids, self.row = network, ids, row
        self.logits, self.base = network.run(ids)
        _, self.other = network.run(other_ids)

    def changed(self, change, quantity=difference):
        logits, _ = self.network.run(self.ids, change)
        return quantity(logits, self.ids, self.row) - quantity(self.logits, self.ids, self.row)

    def replaced(self, kind, layer, head):
        at = self.network.of_head(head)
        own = self.base["z", layer][:, at]
        return {"zero": torch.zeros_like(own), "mean": own.mean(0, keepdim=True).expand_as(own), "patch": self.other["z", layer][:, at]}[kind]

    def heads(self, kind, quantity=difference):
        return self.table(lambda l, h: self.changed(self.with_head(l, h, self.replaced(kind, l, h)), quantity), self.network.n_layers)

    def table(self, f, n_layers):
        return torch.tensor([[f(l, h) for h in range(self.network.n_heads)] for l in range(n_layers)])

    def with_head(self, layer, head, values):
        def change(key, x):
            if key == ("z", layer):
                x[:, self.network.of_head(head)] = values
            return x
        return change

    def divergence(self):
        before = self.logits[self.row].log_softmax(-1)

        def one(logits, ids, row):
            return torch.nn.functional.kl_div(logits[row].log_softmax(-1), before, log_target=True, reduction="sum").item()
        return self.heads("zero", one)

    def tokens(self):
        def one(layer, row):
            def change(key, x):
                if key == ("stream", layer):
                    x[row] = self.other[key][row]
                return x
            return self.changed(change)
        return torch.tensor([[one(l, row) for row in range(self.ids.shape[1])] for l in range(self.network.n_layers + 1)])

    def layers(self):
        def one(layer, part):
            return self.changed(lambda key, x: x.mean(0, keepdim=True).expand_as(x).clone() if key == (part, layer) else x)
        return torch.tensor([[one(l, part) for part in ("attention", "mlp")] for l in range(self.network.n_layers)])

    def frozen(self, layer, head, kind="patch"):
        def change(key, x):
            if key[0] != "z":
                return x
            x = self.base[key].clone()
            if key[1] == layer:
                x[:, self.network.of_head(head)] = self.replaced(kind, layer, head)
            return x
        return change

    def to_logits(self):
        return self.table(lambda l, h: self.changed(self.frozen(l, h)), self.network.n_layers)

    def to_head(self, inputs):
        layer, head = RECEIVER
        slices = self.network.kind.slices(head, self.network.d, self.network.n_heads)

        def one(l, h):
            _, sent = self.network.run(self.ids, self.frozen(l, h))

            def receive(key, x):
                for name in inputs:
                    module, begin = slices[name]
                    if key == (module, layer):
                        x[:, begin:begin + self.network.d] = sent[module, layer][:, begin:begin + self.network.d]
                return x
            _, heard = self.network.run(self.ids, receive)
            return self.changed(self.with_head(layer, head, heard["z", layer][:, self.network.of_head(head)]))
        return self.table(one, layer)


def folded(norm, W):
    """The norm's gain, and the subtraction of the mean, as part of what reads the residual stream."""
    W = norm.weight[:, None] * W
    return W - W.mean(0, keepdim=True) if isinstance(norm, torch.nn.LayerNorm) else W


def circuits(network, layer, head):
    block = network.kind.blocks[layer]
    W_Q, W_K, W_V, W_O = network.kind.weights(block, head, network.d, network.n_heads)
    W_Q, W_K, W_V = (folded(network.kind.norm_of(block), W.double()) for W in (W_Q, W_K, W_V))
    return W_Q @ W_K.T, W_V @ W_O.double()


def compositions(network):
    tables = {"composition_" + name: torch.zeros(network.n_heads, network.n_heads, dtype=torch.float64) for name in "qkv"}
    for later in range(network.n_heads):
        for earlier in range(network.n_heads):
            QK, OV = circuits(network, 1, later)
            _, OV_before = circuits(network, 0, earlier)
            for name, read in (("q", QK), ("k", QK.T), ("v", OV)):
                tables["composition_" + name][later, earlier] = (OV_before @ read).norm() / (OV_before.norm() * read.norm())
    return {name: table.float() for name, table in tables.items()}


def texts(name, tokenizer):
    """Text A, text B with as many tokens, and the row whose logits are asked for."""
    if name in MASKED:
        text, other = MASKED[name]
        assert len(tokenizer.encode(text).ids) == len(tokenizer.encode(other).ids)
        return text, other, tokenizer.encode(text).tokens.index("[MASK]")
    with safe_open(os.path.join(HERE, name, "expected.safetensors"), "pt") as expected:
        text = expected.metadata()["text"]
    n = len(tokenizer.encode(text).ids)
    return text, next(other for other in OTHERS if len(tokenizer.encode(other).ids) == n), n - 1


def make(name):
    folder = os.path.join(HERE, name)
    with safe_open(os.path.join(folder, "expected.safetensors"), "pt") as expected:
        vocabulary = expected.metadata()["tokenizer"]
    tokenizer = Tokenizer.from_file(os.path.join(TOKENIZERS, vocabulary, "tokenizer.json"))
    kind, words = MODELS[name]
    model = kind.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval().double()
    text, other, row = texts(name, tokenizer)
    with torch.no_grad():
        sweeps = Sweeps(Network(model, words), *(torch.tensor([tokenizer.encode(each).ids]) for each in (text, other)), row)
        found = {kind: sweeps.heads(kind) for kind in ("zero", "mean", "patch")}
        found["zero_probability"] = sweeps.heads("zero", probability)
        found["zero_divergence"] = sweeps.divergence()
        found["patch_tokens"] = sweeps.tokens()
        found["layers"] = sweeps.layers()
        found["to_logits"] = sweeps.to_logits()
        for names in ("q", "k", "v", "qkv"):
            found["to_" + ("all" if len(names) > 1 else names)] = sweeps.to_head(names)
        if name not in MASKED:
            found["zero_loss"] = sweeps.heads("zero", loss)
            found |= compositions(sweeps.network)
    found = {key: value.float().contiguous() for key, value in found.items()}
    save_file(found, os.path.join(OUT, name + ".safetensors"), metadata={"text": text, "other": other, "row": str(row)})
    print(name, "|", other, {key: (value.abs().min().item(), value.abs().max().item()) for key, value in found.items()})


if __name__ == "__main__":
    for each in sys.argv[1:] or MODELS:
        make(each)
    archive.pack("sweeps")
