"""The recurrent encoder and decoder of Bahdanau 2015, checked against torch.nn's GRU, LSTM, RNN."""

import torch
from torch import nn

from addressing import address
from case import check_equal
from settings import float32, named

GATES = {"rnn": ["h"], "gru": ["r", "z", "n"], "lstm": ["i", "f", "g", "o"]}
MODULES = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


class Cell:
    """One cell: its weights, and the steps it takes. PyTorch's names and equations."""

    def __init__(self, case, kind, path, widths, state, memory):
        self.case, self.kind, self.path = case, kind, path
        self.state, self.memory = state, memory
        self.d_in, self.d = widths
        self.parts = {}  # the rows of all steps, by name
        for gate in GATES[kind]:
            case.leaf(f"{path}.W_i{gate}", self.d_in, self.d)
            case.leaf(f"{path}.W_h{gate}", self.d, self.d)
            case.bias(f"{path}.b_i{gate}", self.d)
            case.bias(f"{path}.b_h{gate}", self.d)

    def weight(self, name):
        return self.case.held[f"{self.path}.{name}"]

    def zero_memory(self):
        return self.case.bias(f"{self.path}.{self.memory}_init", self.d) \
            if self.kind == "lstm" else None

    def inputs(self, path, x):
        """X W_ig + b_ig of every gate."""
        return {gate: self.case.put(f"{path}.x_{gate}",
                                    x @ self.weight(f"W_i{gate}") + self.weight(f"b_i{gate}"))
                for gate in GATES[self.kind]}

    def step(self, path, t, x, h, c):
        """One step; x holds one row of the inputs a gate."""
        hidden = {gate: h @ self.weight(f"W_h{gate}") + self.weight(f"b_h{gate}") for gate in x}
        if self.kind == "rnn":
            parts = {self.state: torch.tanh(x["h"] + hidden["h"])}
        elif self.kind == "gru":
            r, z = (torch.sigmoid(x[gate] + hidden[gate]) for gate in "rz")
            n = torch.tanh(x["n"] + r * hidden["n"])
            parts = {"r": r, "z": z, "n": n, self.state: (1 - z) * n + z * h}
        else:
            i, f, o = (torch.sigmoid(x[gate] + hidden[gate]) for gate in "ifo")
            g = torch.tanh(x["g"] + hidden["g"])
            memory = f * c + i * g
            parts = {"i": i, "f": f, "g": g, "o": o, self.memory: memory,
                     self.state: o * torch.tanh(memory)}
        for name, values in parts.items():
            self.case.put(f"{path}.{name}", values)
            self.parts.setdefault(name, {})[t] = values
        return parts[self.state], parts.get(self.memory)

    def stack(self):
        """All steps' rows in one matrix each; returns the states."""
        stacks = {name: self.case.put(f"{self.path}.{name}",
                                      torch.cat([steps[t] for t in sorted(steps)]))
                  for name, steps in self.parts.items()}
        return stacks[self.state]

    def module_weights(self):
        gates = GATES[self.kind]
        return {"weight_ih_l0": torch.cat([self.weight(f"W_i{g}").T for g in gates]),
                "weight_hh_l0": torch.cat([self.weight(f"W_h{g}").T for g in gates]),
                "bias_ih_l0": torch.cat([self.weight(f"b_i{g}")[0] for g in gates]),
                "bias_hh_l0": torch.cat([self.weight(f"b_h{g}")[0] for g in gates])}

    def check(self, x, first, states):
        """The module over all rows of x, in the order of the steps."""
        module = MODULES[self.kind](self.d_in, self.d, batch_first=True)
        first = tuple(part.unsqueeze(0) for part in first if part is not None)
        theirs, _ = torch.func.functional_call(
            module, self.module_weights(),
            (x.unsqueeze(0), first if self.kind == "lstm" else first[0]))
        check_equal(states, theirs[0])
        self.case.agrees(MODULES[self.kind].__name__)


def read(case, s, path, x):
    """One direction of the encoder; t is the word's place in both."""
    cell = Cell(case, s.cell, path, (s.d_model, s.d_state), "h", "c")
    inputs = cell.inputs(path, x)
    h, c = case.bias(f"{path}.h_init", s.d_state), cell.zero_memory()
    first = h, c
    order = list(range(len(x)))
    if path.endswith("backward"):
        order.reverse()
    for t in order:
        row = {gate: values[t:t + 1] for gate, values in inputs.items()}
        h, c = cell.step(f"{path}.steps.{t}", t, row, h, c)
    states = cell.stack()
    cell.check(x[order], first, states[order])
    return states


class Decoder:
    def __init__(self, case, s, states, last, written):
        self.case, self.s, self.states, self.last = case, s, states, last
        self.written = written
        self.vocabulary = list(dict.fromkeys(written))
        d_context = states.shape[1]
        self.embed = case.leaf("decoder.embed", 1 + len(self.vocabulary), s.d_model, scale=1)
        if s.attention:
            W_key = case.leaf("decoder.W_key", d_context, s.d_hidden)
            self.W_query = case.leaf("decoder.W_query", s.d_state, s.d_hidden)
            self.v_score = case.leaf("decoder.v_score", s.d_hidden, 1)
            self.key_hidden = case.put("decoder.key_hidden", states @ W_key)
            self.mask = case.put("cross_mask", torch.zeros(len(written), len(states)))
        else:
            case.put("encoder.last", torch.cat(last, dim=1))
        l = s.d_state  # maxout units
        self.U_o = case.leaf("decoder.U_o", s.d_state, 2 * l)
        self.V_o = case.leaf("decoder.V_o", s.d_model, 2 * l)
        self.C_o = case.leaf("decoder.C_o", d_context, 2 * l)
        self.W_o = case.leaf("decoder.W_o", l, len(self.vocabulary), scale=1)
        self.cell = Cell(case, s.cell, "decoder", (s.d_model + d_context, s.d_state), "s", "cell")
        self.rows = {}  # by name, of every step

    def put(self, i, name, values):
        self.rows.setdefault(name, []).append(values)
        return self.case.put(f"decoder.steps.{i}.{name}", values)

    def first_state(self):
        W = self.case.leaf("decoder.W_init", self.s.d_state, self.s.d_state)
        b = self.case.bias("decoder.b_init", self.s.d_state)
        pre = self.case.put("decoder.s_init_pre", self.last[-1] @ W + b)
        return self.case.put("decoder.s_init", torch.tanh(pre))

    def word_before(self, i):
        row = 0
        if i > 0 and self.s.feeding == "teacher":
            row = 1 + self.vocabulary.index(self.written[i - 1])
        elif i > 0:
            row = 1 + int(torch.argmax(self.rows["logits"][-1]))
        return self.put(i, "y", self.embed[row:row + 1])

    def context(self, i, state):
        """A.1.2: what the state asks for, and where it is found."""
        if not self.s.attention:
            return self.put(i, "c", self.case.tensors["encoder.last"].clone())
        query = self.put(i, "query_hidden", state @ self.W_query)
        e = torch.tanh(query + self.key_hidden) @ self.v_score / float32(self.s.temperature)
        masked = self.put(i, "masked_e", self.put(i, "e", e.T) + self.mask[i:i + 1])
        alpha = self.put(i, "alpha", address(masked, self.s))
        return self.put(i, "c", alpha @ self.states)

    def readout(self, i, state, y, c):
        """A.2.2: a maxout layer, then the word."""
        pre = self.put(i, "t_pre", state @ self.U_o + y @ self.V_o + c @ self.C_o)
        t = self.put(i, "t", pre.reshape(-1, 2).max(dim=1).values.unsqueeze(0))
        self.put(i, "logits", t @ self.W_o)

    def run(self):
        state, memory = self.first_state(), self.cell.zero_memory()
        first = state, memory
        for i in range(len(self.written)):
            y = self.word_before(i)
            c = self.context(i, state)
            x = self.put(i, "x", torch.cat([y, c], dim=1))
            path = f"decoder.steps.{i}"
            state, memory = self.cell.step(path, i, self.cell.inputs(path, x), state, memory)
            self.readout(i, state, y, c)
        self.cell.check(torch.cat(self.rows["x"]), first, self.cell.stack())
        self.stack()

    def stack(self):
        names = {"y": "decoder.y", "c": "decoder.context", "t": "decoder.t", "logits": "logits"}
        if self.s.attention:
            head = "decoder.attn.heads.0"
            names |= {"e": f"{head}.scores", "masked_e": f"{head}.masked_scores",
                      "alpha": f"{head}.pattern"}
        for name, path in names.items():
            self.case.put(path, torch.cat(self.rows[name]))
        self.case.put("probs", torch.softmax(self.case.tensors["logits"], dim=1))


def run_recurrent(case):
    s = named(case.study["recurrent"])
    source, target = case.study["source"].split(), case.study["target"].split()
    x = case.leaf("encoder.embed", len(source), s.d_model, scale=1)
    forward = read(case, s, "encoder.forward", x)
    states, last = [forward], [forward[-1:]]
    if s.bidirectional:
        states.append(read(case, s, "encoder.backward", x))
        last.append(states[1][:1])
    h = case.put("encoder.h", torch.cat(states, dim=1))
    Decoder(case, s, h, last, target + ["<end>"]).run()
    return "probs"
