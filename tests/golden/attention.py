"""One multi-head attention from its papers, every tensor by its path, checked against PyTorch."""

import math
from dataclasses import dataclass, field

import torch

import relative
from addressing import address
from attention_checks import check_by_function, check_by_module
from settings import float32, width
from shapes import per_sentence, stacked


@dataclass
class Place:
    """What an attention reads, and where its tensors stand."""
    path: str
    queries: torch.Tensor
    keys: torch.Tensor
    mask: torch.Tensor
    groups: int = 1             # sentences stacked in queries and keys
    causal: bool = False        # buckets on one side
    grid_columns: int = 0
    weights: str = None         # where the weights stand, if somewhere else (the probe's)

    def weight_path(self, path):
        return path if self.weights is None else self.weights + path[len(self.path):]


@dataclass
class Attention:
    """What an attention computed, head by head."""
    patterns: list = field(default_factory=list)
    values: list = field(default_factory=list)      # v W_O[h]: what a key would add to the output
    out: torch.Tensor = None


def head_widths(s, h, d_model):
    """d_k and d_v, which identity and shared projections may dictate."""
    if s.n_kv_heads:
        share = s.n_heads // s.n_kv_heads
        h = h // share * share
    is_identity = "identity" in (s.query, s.key)
    d_k = d_model if is_identity else width(s.d_k, h)
    d_v = {"identity": d_model, "shared": d_k, "learned": width(s.d_v, h)}[s.value]
    return d_k, d_v


class Transcription:
    def __init__(self, case, s, place):
        self.case, self.s, self.place = case, s, place
        self.d_model = place.queries.shape[1]
        self.n_query = len(place.queries) // place.groups
        self.n_key = len(place.keys) // place.groups
        self.temperature = float32(s.temperature)

    def leaf(self, path, *shape, scale=None):
        return self.case.leaf(self.place.weight_path(path), *shape, scale=scale)

    def project(self, kind, path, letter, x, W):
        """q, k or v, from a weight or as x itself."""
        if kind == "identity":
            return self.case.put(f"{path}.{letter.lower()}", x.clone())
        y = x @ W
        if self.s.bias:
            bias = self.place.weight_path(f"{path}.b_{letter}")
            y = y + self.case.bias(bias, W.shape[1])
        return self.case.put(f"{path}.{letter.lower()}", y)

    def keys_and_values(self, path, h):
        """W_S, k and v of a head, or of a group of heads."""
        s, place = self.s, self.place
        d_k, d_v = head_widths(s, h, self.d_model)
        W_S = None
        if "shared" in (s.query, s.key, s.value):
            W_S = self.leaf(f"{path}.W_S", self.d_model, d_k)
        W = {}
        for letter, kind, columns in (("K", s.key, d_k), ("V", s.value, d_v)):
            learned = kind == "learned"
            W[letter] = self.leaf(f"{path}.W_{letter}", self.d_model, columns) if learned else W_S
        k = self.project(s.key, path, "K", place.keys, W["K"])
        v = self.project(s.value, path, "V", place.keys, W["V"])
        return {"path": path, "W_S": W_S, "W_K": W["K"], "W_V": W["V"], "k": k, "v": v}

    # ---- scores ----

    def dots(self, q, k):
        groups = self.place.groups
        return stacked(per_sentence(q, groups) @ per_sentence(k, groups).transpose(1, 2))

    def scale(self, d_k):
        is_scaled = self.s.score == "scaled_dot"
        return 1 / ((math.sqrt(d_k) if is_scaled else 1) * self.temperature)

    def cosines(self, q, k):
        def unit(x):
            norm = x.norm(dim=1, keepdim=True)
            return torch.where(norm == 0, torch.zeros_like(x), x / norm.clamp(min=1e-300))

        return self.dots(unit(q), unit(k)) / self.temperature

    def bilinear(self, path, q, k, d_k):
        """Luong 2015, "general"."""
        W_a = self.leaf(f"{path}.W_a", d_k, d_k)
        turned = self.case.put(f"{path}.q_W_a", q @ W_a)
        return self.dots(turned, k) / self.temperature

    def additive(self, path, q, k, d_k):
        """Bahdanau 2015, A.1.2; v is one column."""
        W_query = self.leaf(f"{path}.W_query", d_k, self.s.d_hidden)
        W_key = self.leaf(f"{path}.W_key", d_k, self.s.d_hidden)
        v = self.leaf(f"{path}.v_score", self.s.d_hidden, 1)
        a = self.case.put(f"{path}.query_hidden", q @ W_query)
        b = self.case.put(f"{path}.key_hidden", k @ W_key)
        groups = self.place.groups
        hidden = torch.tanh(per_sentence(a, groups).unsqueeze(2)
                            + per_sentence(b, groups).unsqueeze(1))
        self.case.put(f"{path}.hidden", stacked(hidden))
        return stacked((hidden @ v).squeeze(3)) / self.temperature

    def content(self, path, q, k, d_k):
        if self.s.score == "cosine":
            return self.cosines(q, k)
        if self.s.score == "bilinear":
            return self.bilinear(path, q, k, d_k)
        if self.s.score == "additive":
            return self.additive(path, q, k, d_k)
        return self.dots(q, k) * self.scale(d_k)

    def position(self, path, h, q, d_k):
        """Position scores of one head, the same for every sentence unless they read q."""
        s, place, n_query, n_key = self.s, self.place, self.n_query, self.n_key
        if s.relative == "shaw":
            c = s.max_distance
            table = self.leaf(f"{place.path}.rel_K", 2 * c + 1, d_k, scale=1)
            pairs = relative.clipped(table, n_query, n_key, c)
            scores = torch.einsum("gid,ijd->gij", per_sentence(q, place.groups), pairs)
            return stacked(scores) * self.scale(d_k)
        if s.relative == "alibi":
            slope = relative.alibi_slopes(s.n_heads)[h]
            one = -slope * relative.distances(n_query, n_key).abs().to(torch.float64)
        elif s.relative == "buckets":
            table = self.leaf(f"{place.path}.rel_bias", s.n_buckets, s.n_heads, scale=1)
            one = relative.bucket_bias(table, h, n_query, n_key, place.causal, s.max_distance)
        else:
            one = self.quadratic(path, h)
        return one.repeat(place.groups, 1)

    def quadratic(self, path, h):
        place = self.place
        center = [float(relative.line_center(h))]
        if place.grid_columns:
            center = [float(x) for x in relative.grid_center(h, self.s.n_heads)]
        alpha_path = place.weight_path(f"{place.path}.alpha")
        if alpha_path not in self.case.held:
            alpha = torch.tensor([[float32(self.s.alpha)]]).requires_grad_()
            self.case.hold(alpha_path, alpha)
        center_path = place.weight_path(f"{path}.center")
        if center_path not in self.case.held:
            self.case.hold(center_path, torch.tensor([center]).requires_grad_())
        return relative.quadratic(self.case.held[center_path], self.case.held[alpha_path],
                                  self.n_query, self.n_key, place.grid_columns)

    def scores(self, path, h, q, kv):
        d_k = q.shape[1]
        k = kv["k"]
        if self.s.relative == "rotary":
            q = self.case.put(f"{path}.rot_q", relative.rotate(q, self.place.groups))
            if "rot_k" not in kv:
                kv["rot_k"] = self.case.put(f"{kv['path']}.rot_k",
                                            relative.rotate(k, self.place.groups))
            k = kv["rot_k"]
        content = self.content(path, q, k, d_k)
        if self.s.relative in ("none", "rotary"):
            return self.case.put(f"{path}.scores", content)
        self.case.put(f"{path}.content_scores", content)
        position = self.case.put(f"{path}.position_scores", self.position(path, h, q, d_k))
        return self.case.put(f"{path}.scores", content + position)

    # ---- what the heads bring back ----

    def mix(self, path, pattern, v):
        groups, place = self.place.groups, self.place
        weights = per_sentence(pattern, groups)
        content = stacked(weights @ per_sentence(v, groups))
        if self.s.relative != "shaw":
            return self.case.put(f"{path}.z", content)
        c = self.s.max_distance
        table = self.leaf(f"{place.path}.rel_V", 2 * c + 1, v.shape[1], scale=1)
        pairs = relative.clipped(table, self.n_query, self.n_key, c)
        self.case.put(f"{path}.content_z", content)
        position = stacked(torch.einsum("gij,ijd->gid", weights, pairs))
        self.case.put(f"{path}.position_z", position)
        return self.case.put(f"{path}.z", content + position)

    def views(self, path, head, W_O):
        """The head's circuits (Elhage 2021), its result, what it moves (Kobayashi 2020)."""
        s, put = self.s, self.case.put
        own = self.place.weights is None
        is_dot = s.score in ("dot", "scaled_dot") and "identity" not in (s.query, s.key)
        if is_dot and own:
            put(f"{path}.QK", head["W_Q"] @ head["W_K"].T * self.scale(head["W_Q"].shape[1]))
        moved = head["v"]
        if W_O is not None:
            moved = head["v"] @ W_O
            put(f"{path}.result", head["z"] @ W_O)
            if s.value != "identity" and own:
                put(f"{path}.OV", head["W_V"] @ W_O)
        lengths = moved.norm(dim=1).reshape(self.place.groups, 1, -1)
        weighted = per_sentence(head["pattern"], self.place.groups) * lengths
        put(f"{path}.norm_weighted", stacked(weighted))
        return moved

    def head(self, h, kv):
        s, place = self.s, self.place
        path = f"{place.path}.heads.{h}"
        W_Q = None
        if s.query == "learned":
            W_Q = self.leaf(f"{path}.W_Q", self.d_model, head_widths(s, h, self.d_model)[0])
        if kv is None:
            kv = self.keys_and_values(path, h)
        if s.query == "shared":
            W_Q = kv["W_S"]
        q = self.project(s.query, path, "Q", place.queries, W_Q)
        masked = self.case.put(f"{path}.masked_scores",
                               self.scores(path, h, q, kv) + place.mask)
        pattern = self.case.put(f"{path}.pattern", address(masked, s))
        z = self.mix(path, pattern, kv["v"])
        return kv | {"path": path, "W_Q": W_Q, "q": q, "pattern": pattern, "z": z}

    def run(self):
        s, place = self.s, self.place
        groups = [self.keys_and_values(f"{place.path}.kv.{g}", g * s.n_heads // s.n_kv_heads)
                  for g in range(s.n_kv_heads)]
        share = s.n_heads // s.n_kv_heads if groups else 0
        heads = [self.head(h, groups[h // share] if groups else None) for h in range(s.n_heads)]
        z = torch.cat([head["z"] for head in heads], dim=1)
        W_O = self.leaf(f"{place.path}.W_O", z.shape[1], self.d_model) if s.output else None
        result, row = Attention(), 0
        for head in heads:
            d_v = head["z"].shape[1]
            rows = None if W_O is None else W_O[row:row + d_v]
            result.patterns.append(head["pattern"])
            result.values.append(self.views(head["path"], head, rows))
            row += d_v
        result.out = self.output(heads, z, W_O)
        self.check(heads, W_O, result.out)
        return result

    def output(self, heads, z, W_O):
        path = self.place.path
        if W_O is None and z.shape[1] != self.d_model:
            return self.case.put(f"{path}.out", sum(head["z"] for head in heads))
        self.case.put(f"{path}.concat", z)
        if W_O is None:
            return self.case.put(f"{path}.out", z.clone())
        out = z @ W_O
        if self.s.bias:
            out = out + self.case.bias(self.place.weight_path(f"{path}.b_O"), self.d_model)
        return self.case.put(f"{path}.out", out)

    # ---- PyTorch's word ----

    def check(self, heads, W_O, out):
        s = self.s
        if s.score not in ("dot", "scaled_dot") or s.addressing != "softmax":
            return
        is_read = ~torch.isneginf(self.place.mask).all(dim=1)
        if s.relative != "shaw":
            check_by_function(self, heads, is_read)
        widths = {head_widths(s, h, self.d_model) for h in range(s.n_heads)}
        is_module = (s.score == "scaled_dot" and self.temperature == 1 and s.n_kv_heads == 0
                     and (s.query, s.key, s.value) == ("learned",) * 3 and s.output
                     and s.relative == "none"
                     and widths == {(self.d_model // s.n_heads, self.d_model // s.n_heads)}
                     and self.d_model % s.n_heads == 0)
        if is_module:
            check_by_module(self, heads, W_O, out, is_read)


def attend(case, s, place):
    return Transcription(case, s, place).run()
