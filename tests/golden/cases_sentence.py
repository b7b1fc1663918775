"""The cases of sentences: every score, addressing, mask, position, projection, width and block."""

import itertools

from analysis import analyse
from case import ANALYSES, INFINITY, Case
from decoding import decode
from settings import sentence
from transformer import run_sentences

SCORES = ["scaled_dot", "dot", "cosine", "bilinear", "additive"]
ADDRESSINGS = ["softmax", "hard", "top_k", "sparsemax", "entmax"]
SENTENCES = "one two three two five\none two\nsix one two"  # of three lengths


def words(n):
    return " ".join(f"w{i}" for i in range(n))


def write(name, text, keep=None, hand_mask=None, **changes):
    """`text`: the words, or how many there are."""
    text = words(text) if isinstance(text, int) else text
    case = Case(name, sentence(text, **changes))
    case.write(run_sentences(case, hand_mask).target, keep=keep)


def write_sizes():
    sizes = [(1, 1, 1), (1, 6, 2), (2, 4, 2), (5, 6, 3), (12, 16, 4), (17, 12, 4), (33, 8, 2)]
    for n, d_model, n_heads in sizes:
        width = d_model // n_heads
        write(f"size_{n}x{d_model}", n, d_model=d_model, n_heads=n_heads, d_k=width, d_v=width,
              causal=n % 2 == 0)
    for name, mask in (("open", {}), ("causal_window", {"causal": True, "window": 40})):
        write(f"size_257x4_{name}", 257, d_model=4, d_k=2, d_v=2, **mask,
              keep=["blocks.0.attn.out", "blocks.0.attn.heads.1.z"])


def write_scores():
    for score, addressing in itertools.product(SCORES, ADDRESSINGS):
        write(f"score_{score}_{addressing}", 6, score=score, addressing=addressing, d_k=4)
    for score, addressing in zip(SCORES, ADDRESSINGS[2:] + ADDRESSINGS[:2]):
        write(f"score_{score}_{addressing}_sentences", SENTENCES, score=score,
              addressing=addressing, temperature=0.7, causal=True, top_k=2, n_heads=1, d_v=2)
    write("temperature_low", 5, temperature=0.05)
    write("temperature_high", 5, temperature=10, score="cosine")
    write("top_k_of_all", 4, addressing="top_k", top_k=9)


def close_some(mask):
    """One cell, a row but for one, and a whole row closed by hand."""
    mask = mask.clone()
    mask[0, 3] = mask[2, :3] = mask[2, 4:] = mask[4, :] = -INFINITY
    return mask


def write_masks():
    rules = {"causal": {"causal": True}, "window": {"window": 2}, "dilation": {"dilation": 2},
             "causal_window": {"causal": True, "window": 3},
             "window_dilation": {"window": 4, "dilation": 3},
             "causal_dilation": {"causal": True, "dilation": 2},
             "all": {"causal": True, "window": 4, "dilation": 2, "documents": True}}
    for name, mask in rules.items():
        write(f"mask_{name}", "a b | c d e f | g", **mask)
    write("mask_documents", "a b | c d e f | g", documents=True)
    write("mask_documents_window", "a | b c d e", documents=True, window=1)
    write("mask_padding", SENTENCES)
    write("mask_padding_causal_documents", "a b | c d\ne f\n| g | h", causal=True, documents=True)
    write("mask_padding_window", "a b c d e f\ng", window=2)
    for addressing in ADDRESSINGS:
        write(f"mask_by_hand_{addressing}", 6, hand_mask=close_some, addressing=addressing,
              residual=True)


def write_positions():
    for positions in ("sinusoidal", "learned"):
        write(f"positions_{positions}", 7, positions=positions, d_model=7)
        write(f"positions_{positions}_sentences", SENTENCES, positions=positions, residual=True)
    kinds = {"rotary": {"d_k": 5}, "shaw": {"max_distance": 2}, "alibi": {"n_heads": 3},
             "buckets": {"max_distance": 6}, "quadratic": {"n_heads": 4, "alpha": 0.3}}
    for relative, changes in kinds.items():
        write(f"relative_{relative}", 9, relative=relative, **changes)
        write(f"relative_{relative}_causal", 8, relative=relative, causal=True, score="dot",
              temperature=2, **changes)
        write(f"relative_{relative}_sentences", SENTENCES, relative=relative, residual=True,
              **changes)
        write(f"relative_{relative}_one_word", 1, relative=relative, **changes)
    for n_heads in (1, 6, 8):
        write(f"relative_alibi_{n_heads}_heads", 4, relative="alibi", n_heads=n_heads, d_k=1, d_v=1)
    write("relative_buckets_far", 30, relative="buckets", n_buckets=12, max_distance=20, n_heads=1)
    write("relative_buckets_far_causal", 30, relative="buckets", n_buckets=9, max_distance=25,
          n_heads=1, causal=True)
    for relative, score in (("rotary", "bilinear"), ("rotary", "additive"), ("alibi", "cosine"),
                            ("buckets", "bilinear"), ("quadratic", "additive")):
        write(f"relative_{relative}_{score}", 5, relative=relative, score=score, d_k=4)


def write_projections():
    free = {"query": "identity", "key": "identity", "value": "identity", "output": False}
    write("projection_none", 6, n_heads=1, **free)
    write("projection_none_two_heads", 4, n_heads=2, **free)
    for query, key, value in itertools.product(("learned", "identity", "shared"), repeat=3):
        write(f"projection_{query}_{key}_{value}", 3, query=query, key=key, value=value, d_k=2,
              d_v=2, bias=query == "learned")
    write("projection_shared_sentences", SENTENCES, query="shared", key="shared", bias=True)
    write("output_off_side_by_side", 5, output=False)
    write("output_off_sum", 5, output=False, d_v=6, n_heads=3)
    write("widths_own", 7, n_heads=3, d_k=[2, 5, 1], d_v=[4, 1, 1])
    write("widths_own_biases", 5, n_heads=4, d_k=[3], d_v=[1, 2, 3, 4], bias=True, score="additive")
    write("widths_own_output_off", 5, n_heads=3, d_v=[3, 2, 1], output=False)


def write_shared_keys():
    for n_kv_heads in (1, 2, 4):
        write(f"kv_heads_{n_kv_heads}_of_4", 5, n_heads=4, n_kv_heads=n_kv_heads, d_k=2, d_v=3)
    grouped = {"n_heads": 4, "n_kv_heads": 2}
    write("kv_heads_biases", SENTENCES, bias=True, causal=True, **grouped)
    write("kv_heads_rotary", 6, relative="rotary", d_k=4, **grouped)
    write("kv_heads_shaw", 6, relative="shaw", max_distance=3, **grouped)
    write("kv_heads_additive", 5, score="additive", addressing="sparsemax", **grouped)
    write("kv_heads_shared_projections", 4, query="shared", key="shared", value="shared", **grouped)
    write("kv_heads_own_widths", 4, d_k=[2, 2, 4, 4], d_v=[3, 3, 1, 1], **grouped)


def write_blocks():
    for norm, mlp, residual in itertools.product(("none", "pre", "post"),
                                                 ("none", "relu", "gelu", "gelu_tanh"),
                                                 (True, False)):
        if not residual and mlp not in ("none", "gelu"):
            continue
        write(f"block_{norm}_{mlp}_{'residual' if residual else 'alone'}", 4, norm=norm, mlp=mlp,
              residual=residual, bias=True, n_layers=1 + (mlp == "gelu"))
    full = {"residual": True, "mlp": "gelu", "bias": True}
    write("stack_3_pre", 6, n_layers=3, norm="pre", final_norm=True, unembedding="learned",
          causal=True, **full)
    write("stack_3_post", "a b a c b", n_layers=3, norm="post", unembedding="tied",
          positions="sinusoidal", **full)
    write("stack_2_sentences", SENTENCES, n_layers=2, norm="pre", final_norm=True,
          unembedding="tied", positions="learned", causal=True, **full)
    write("stack_1_word", 1, norm="post", final_norm=True, unembedding="learned", **full)
    for norm in ("pre", "post"):
        write(f"stack_rms_{norm}", 5, n_layers=2, norm=norm, norm_type="rms", final_norm=True,
              **full)
    write("stack_plain_unembedding", "a b a c", unembedding="learned", n_layers=2)


def write_analyses():
    stack = {"n_layers": 2, "residual": True, "positions": "sinusoidal"}
    texts = {"words": "a b a c b a", "sentences": SENTENCES, "one_word": "a"}
    settings = {"plain": {}, "causal_mlp": {"causal": True, "norm": "pre", "mlp": "relu",
                                            "unembedding": "learned", "n_layers": 3},
                "sparse": {"addressing": "sparsemax", "residual": False, "n_layers": 1},
                "relative": {"relative": "shaw", "max_distance": 3, "positions": "learned"}}
    for (name, changes), text_name in itertools.product(settings.items(), texts):
        if text_name == "one_word" and name != "plain":
            continue
        text = texts[text_name]
        case = Case(f"analysis_{name}_{text_name}", sentence(text, **stack | changes))
        sentences = run_sentences(case)
        analyse(case, sentences)
        inner = [path for path in case.tensors
                 if path.startswith("probe.") and not path.endswith(".pattern")]
        for path in inner:
            del case.tensors[path]
        case.write(sentences.target, omitted=["across.rollout.*", "across.gradient*", "probe.*"])


def write_decoding():
    plain = {"causal": True}
    settings = {"plain": plain, "stack": plain | {
        "n_layers": 2, "residual": True, "norm": "pre", "mlp": "gelu", "bias": True,
        "final_norm": True, "positions": "sinusoidal"},
        "rotary": plain | {"relative": "rotary", "d_k": 4},
        "grouped": plain | {"n_heads": 4, "n_kv_heads": 2, "residual": True}}
    for name, changes in settings.items():
        case = Case(f"decoding_{name}", sentence(words(4), decoding=True, **changes))
        sentences = run_sentences(case)
        decode(case, sentences.out)
        case.write(sentences.target, omitted=ANALYSES + ["decoding.*"])


def write_all():
    for part in (write_sizes, write_scores, write_masks, write_positions, write_projections,
                 write_shared_keys, write_blocks, write_analyses, write_decoding):
        part()
