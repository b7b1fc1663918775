"""The cases of two sentences: cross-attention, the full Transformer, recurrent networks."""

import itertools

from analysis import influence
from case import Case
from recurrent import run_recurrent
from settings import RECURRENT, STACK, change, study
from transformer import run_cross, run_encoder_decoder

SOURCE, TARGET = "the cat sat there", "die Katze die saß da"


def write_stack(name, mechanism, source=SOURCE, target=TARGET, **changes):
    run = {"cross": run_cross, "transformer": run_encoder_decoder}[mechanism]
    case = Case(name, study("alignment", source=source, target=target, mechanism=mechanism,
                            layer=change(STACK, changes)))
    sentences = run(case)
    x = case.held["source.embed" if mechanism == "cross" else "encoder.embed"]
    case.put("influence", influence(sentences.out, x))
    case.write(sentences.target, omitted=[])


def write_cross():
    write_stack("cross_plain", "cross")
    write_stack("cross_one_word", "cross", source="a", target="b")
    write_stack("cross_to_one_word", "cross", target="a", positions="learned")
    write_stack("cross_stack", "cross", n_layers=2, residual=True, norm="pre", mlp="gelu",
                positions="sinusoidal", final_norm=True, unembedding="tied", bias=True)
    write_stack("cross_post", "cross", residual=True, norm="post", mlp="relu", n_heads=4,
                n_kv_heads=2, unembedding="learned")
    write_stack("cross_additive_entmax", "cross", score="additive", addressing="entmax")
    write_stack("cross_sparsemax_temperature", "cross", addressing="sparsemax", temperature=0.4)
    write_stack("cross_shaw", "cross", relative="shaw")


def write_transformers():
    full = {"residual": True, "bias": True, "positions": "sinusoidal"}
    for norm, mlp in (("pre", "gelu"), ("pre", "gelu_tanh"), ("post", "relu"), ("post", "gelu")):
        write_stack(f"transformer_{norm}_{mlp}", "transformer", norm=norm, mlp=mlp, **full)
    write_stack("transformer_stack", "transformer", n_layers=2, norm="pre", mlp="gelu",
                final_norm=True, unembedding="learned", **full)
    write_stack("transformer_tied", "transformer", norm="post", mlp="relu", unembedding="tied",
                n_layers=2, **full)
    write_stack("transformer_plain", "transformer")
    for relative in ("rotary", "shaw", "buckets"):
        write_stack(f"transformer_{relative}", "transformer", relative=relative, max_distance=3)
    write_stack("transformer_no_mlp", "transformer", residual=True, norm="pre", window=2)
    write_stack("transformer_one_word", "transformer", source="a", target="b", **full)


def write_recurrent_case(name, source=SOURCE, target="die saß die", **changes):
    case = Case(name, study("alignment", source=source, target=target, mechanism="recurrent",
                            recurrent=change(RECURRENT, changes)))
    target = run_recurrent(case)
    x = case.held["encoder.embed"]
    case.put("influence.encoder", influence(case.tensors["encoder.forward.h"], x))
    case.put("influence.decoder", influence(case.tensors["decoder.s"], x))
    case.write(target, omitted=[])


def write_recurrent():
    for cell, both, attention, feeding in itertools.product(("rnn", "gru", "lstm"), (True, False),
                                                            (True, False), ("teacher", "free")):
        name = "_".join([cell, "bidirectional" if both else "forward",
                         "attention" if attention else "last_state", feeding])
        write_recurrent_case(f"recurrent_{name}", cell=cell, bidirectional=both,
                             attention=attention, feeding=feeding)
    write_recurrent_case("recurrent_one_word", source="a", target="b")
    write_recurrent_case("recurrent_1_wide", source="a", target="a", d_model=1, d_state=1,
                         d_hidden=1)
    for addressing in ("hard", "top_k", "sparsemax", "entmax"):
        write_recurrent_case(f"recurrent_{addressing}", addressing=addressing, temperature=0.5,
                             top_k=2)


def write_all():
    write_cross()
    write_transformers()
    write_recurrent()
