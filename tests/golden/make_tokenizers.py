"""Writes tests/golden/tokenizers.zip: a small tokenizer of every kind, and its tokens of some texts by the package `tokenizers`.

    python make_tokenizers.py

A kind's folder has tokenizer.json and expected.json: for each text, and each pair of texts, the ids, the ranges in bytes, the
types, and the text that the ids decode to. bert_files and gpt2_files have the same vocabularies in the older files."""

import json
import os
import random

import archive
from compare_tokenizers import random_text
from tokenizer_kinds import KINDS

HERE = archive.unpacked("tokenizers")

TEXTS = ["", " ", "The cat sat on the mat.", "Hello world", " Hello  world ", "don't WE'LL they've I'M it's", "naïve café e\u0301 a\u0323\u0301 \u0344 Å İstanbul",
         "你好世界 博物馆 한국어 こんにちは カタカナ ｶﾞ", "שלום עולם مرحبا नमस्ते สวัสดี", "Привет, мир! λόγος ΣΊΣΥΦΟΣ", "👩‍👩‍👧‍👦 🇫🇷👍🏽 ❤️", "1234567 3.14 ①²½ ٣٤٥",
         "line\nline\r\n\n  indented\t\ttab \u00a0\u3000\u2009x", "a\u200bb\ufeffc\u00add\x00e\x7ff\ufffdg", "x" * 101, "“quoted” … (a_b) $5 + 3^2 = `c`",
         "a [MASK] b<s>c</s> <mask>  d <extra_id_0>  e<|endoftext|>f <unk>", "▁a ▁▁ Ġb ##c <0x41> </w>", "   three   spaces   ", "naïve naïves Naïve", "unwantéd,running"]
PAIRS = [("The cat", "sat."), ("", "x"), ("it was tired", ""), ("你好", "don't 'S")]


def as_expected(tokenizer, first, second=None):
    encoding = tokenizer.encode(first) if second is None else tokenizer.encode(first, second)
    ranges = []
    for (begin, end), sequence in zip(encoding.offsets, encoding.sequence_ids):
        text = second if sequence == 1 else first
        ranges += [len(text[:begin].encode()), len(text[:end].encode())] if sequence is not None else [0, 0]
    decoded = tokenizer.decode(encoding.ids, skip_special_tokens=False)
    return {"text": first, **({"second": second} if second is not None else {}), "ids": encoding.ids, "ranges": ranges,
            "types": encoding.type_ids, "decoded": decoded, "plain": tokenizer.decode(encoding.ids, skip_special_tokens=True)}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def main():
    for kind, make in KINDS.items():
        tokenizer = make()
        source = random.Random(kind)
        texts = TEXTS + [random_text(source, []) for _ in range(6)]
        cases = [as_expected(tokenizer, text) for text in texts] + [as_expected(tokenizer, *pair) for pair in PAIRS]
        write(os.path.join(HERE, kind, "tokenizer.json"), tokenizer.to_str() + "\n")
        lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
        write(os.path.join(HERE, kind, "expected.json"), "[" + lines + "]\n")
        model = json.loads(tokenizer.to_str())["model"]
        if kind == "bert":
            pieces = sorted(model["vocab"], key=model["vocab"].get)
            write(os.path.join(HERE, "bert_files", "vocab.txt"), "\n".join(pieces) + "\n")
        if kind == "gpt2":
            write(os.path.join(HERE, "gpt2_files", "vocab.json"), json.dumps(model["vocab"], ensure_ascii=False))
            merges = "\n".join(merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"])
            write(os.path.join(HERE, "gpt2_files", "merges.txt"), "#version: 0.2\n" + merges + "\n")
    archive.pack("tokenizers")


if __name__ == "__main__":
    main()
