"""Studies of words: sentences, cross-attention, the full encoder and decoder (Vaswani 2017)."""

from dataclasses import dataclass

import torch

from masks import PADDING, self_mask, stack_sentences
from settings import named
from stack import Side, embed, run_layers


def vocabulary_of(words):
    return list(dict.fromkeys(word for word in words if word != PADDING))


def unembed(case, s, x, words):
    """The next word's logits and probabilities."""
    if s.unembedding == "none":
        return None
    n_words = len(vocabulary_of(words))
    if s.unembedding == "tied":
        logits = x @ case.leaf("W_U", n_words, s.d_model, scale=1).T
    else:
        logits = x @ case.leaf("W_U", s.d_model, n_words)
    case.put("logits", logits)
    return case.put("probs", torch.softmax(logits, dim=1))


@dataclass
class Sentences:
    """What is known of a study of sentences once it is computed."""
    side: Side
    out: torch.Tensor    # of the stack, before the unembedding
    target: str          # the path of the last tensor


def run_sentences(case, hand_mask=None):
    """A study of one or several sentences."""
    s = named(case.study["layer"])
    words, groups = stack_sentences(case.study["text"])
    mask = self_mask(words, groups, s.mask)
    if hand_mask is not None:
        mask = case.hold("mask", hand_mask(mask))
    else:
        case.put("mask", mask)
    side = Side("", words, groups, mask, s.mask.causal)
    out = run_layers(case, side, s, embed(case, side, s))
    probs = unembed(case, s, out, words)
    return Sentences(side, out, case.path_of(out if probs is None else probs))


def run_cross(case):
    """Queries from a target, keys and values from a source; no self-attention."""
    s = named(case.study["layer"])
    source = Side("source.", case.study["source"].split())
    memory = case.put("source.out", embed(case, source, s))
    target = Side("target.", case.study["target"].split())
    x = embed(case, target, s)
    mask = case.put("cross_mask", torch.zeros(len(target.words), len(source.words)))
    side = Side("", target.words, source=memory, cross_mask=mask)
    out = run_layers(case, side, s, x)
    probs = unembed(case, s, out, target.words)
    return Sentences(side, out, case.path_of(out if probs is None else probs))


def run_encoder_decoder(case):
    """The encoder reads the source, the causal decoder its own words and the encoder's result."""
    s = named(case.study["layer"])
    source, target = case.study["source"].split(), case.study["target"].split()
    open_mask = torch.zeros(len(source), len(source))
    encoder = Side("encoder.", source, mask=case.put("encoder.mask", open_mask))
    memory = run_layers(case, encoder, s, embed(case, encoder, s))
    rules = named(case.study["layer"]["mask"])
    rules.causal = True
    mask = case.put("decoder.mask", self_mask(target, 1, rules))
    across = case.put("cross_mask", torch.zeros(len(target), len(source)))
    decoder = Side("decoder.", target, 1, mask, True, memory, across)
    out = run_layers(case, decoder, s, embed(case, decoder, s))
    probs = unembed(case, s, out, target)
    return Sentences(decoder, out, case.path_of(out if probs is None else probs))
