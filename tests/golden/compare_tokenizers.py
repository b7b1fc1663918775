"""Compares Headlight's tokenizers with the package `tokenizers`, on made-up texts of many scripts.

    python compare_tokenizers.py ENCODE_TEXTS [N_TEXTS] [KIND or FOLDER …]

ENCODE_TEXTS is the program tests/io/encode_texts. Without kinds, all of tokenizer_kinds.py are
compared. Besides N_TEXTS random texts, every code point is one, and between letters (with EVERY=7, every seventh). Ids, ranges, types and the decoded text must be the same. Ends with 1 if any differ."""

import os
import random
import struct
import subprocess
import sys
import tempfile

from tokenizers import Tokenizer

from tokenizer_kinds import CHARACTER_MAP, KINDS, WORDS

BLOCKS = [(0x20, 0x7E), (0xA0, 0x17F), (0x180, 0x24F), (0x250, 0x2FF), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x52F),
          (0x531, 0x58F), (0x591, 0x5F4), (0x600, 0x6FF), (0x700, 0x8FF), (0x900, 0x97F), (0x980, 0xDFF), (0xE00, 0xEFF),
          (0xF00, 0xFFF), (0x1000, 0x10FF), (0x1100, 0x11FF), (0x1200, 0x139F), (0x13A0, 0x167F), (0x1680, 0x1AFF),
          (0x1B00, 0x1DFF), (0x1E00, 0x1FFF), (0x2000, 0x20CF), (0x20D0, 0x2BFF), (0x2C00, 0x2FFF), (0x3000, 0x30FF),
          (0x3100, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA000, 0xABFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF),
          (0xFB00, 0xFDFF), (0xFE00, 0xFFFF), (0x10000, 0x10FFF), (0x11000, 0x11FFF), (0x12000, 0x16FFF), (0x17000, 0x1BFFF),
          (0x1C000, 0x1EFFF), (0x1F000, 0x1FAFF), (0x20000, 0x2FFFF), (0x30000, 0x33FFF), (0xE0000, 0xE01EF), (0xF0000, 0x10FFFF)]
BLANKS = [" ", "  ", "   ", "\n", "\r\n", "\t", "\r", "\n\n", " \n ", "\u00a0", "\u3000", "\u2009", "\u2028", "\x0b", "\x0c", "\x85", "\u1680",
          "\u200b", "\ufeff", "\x1c", "\u180e", "\u202f"]
BITS = ["'s", "'T", "'ll", "'LL", "'ve", "'re", "'d", "'ſ", "'m", "’s", "don't", "I'M", "42", "1234567", "①²³", "٣٤٥", "3.14", "1,000", "x²",
        "...", "!!", "--", "«»", "🇫🇷🇩🇪", "👩‍👩‍👧‍👦", "👍🏽", "❤️", "1️⃣", "e\u0301", "a\u0323\u0301", "a\u0301\u0323", "\u0344", "İ", "ß", "ΣΑΣ", "ﬁ", "한국",
        "\u1112\u1161\u11ab", "क्षि", "กำ", "あが", "か\u3099", "ｶﾞ", "㌀", "Å", "Ω", "中文字", "𝒳𝟙", "\x00", "\ufffd", "\x7f", "\x01", "\u00ad", "\u200d",
        "<|endoftext|>", "<s>", "</s>", "[CLS]", "[MASK]", "<mask>", " <mask> ", "<unk>", "<extra_id_0>", "  <extra_id_0>  ", "<|begin|>", "naïve",
        "Naïve", "naïveté", "Ångström x", "▁", "▁▁", " ▁ ", "Ġ", "##a", "<0x41>", "<0xE2>", "</w>"]


def random_text(source, extra):
    kind = source.random()
    if kind < 0.3:
        pieces = source.choices(WORDS + extra, k=source.randint(1, 12))
        return "".join(piece + source.choice([" ", " ", " ", "", source.choice(BLANKS)]) for piece in pieces)
    if kind < 0.6:
        makers = [lambda: source.choice(BITS), lambda: source.choice(BLANKS), lambda: source.choice(WORDS + extra),
                  lambda: chr(source.randint(*source.choice(BLOCKS))), lambda: source.choice(list(CHARACTER_MAP)),
                  lambda: chr(source.randint(0x300, 0x345))]
        return "".join(source.choice(makers)() for _ in range(source.randint(1, 14)))
    if kind < 0.8:
        block = source.choice(BLOCKS)
        return "".join(chr(source.randint(*block)) if source.random() < 0.85 else source.choice(BLANKS) for _ in range(source.randint(1, 25)))
    if kind < 0.9:
        return "".join(chr(source.randint(*source.choice(BLOCKS))) for _ in range(source.randint(1, 20)))
    if kind < 0.97:
        return "".join(source.choice(BLANKS + ["a", "1", ".", "'"]) for _ in range(source.randint(1, 15)))
    return source.choice(WORDS + ["a", "1", "é", "中", "'", " "]) * source.randint(20, 120)


def all_texts(n_random, extra):
    source = random.Random(11)
    step = int(os.environ.get("EVERY", "1"))
    points = [chr(c) for c in range(0, 0x110000, step) if not 0xD800 <= c < 0xE000]
    texts = [""] + points + ["a" + c + "b " + c + " 1" + c for c in points]
    return texts + [random_text(source, extra) for _ in range(n_random)]


def expected_lines(tokenizer, texts):
    for begin in range(0, len(texts), 20000):
        part = texts[begin:begin + 20000]
        for text, encoding in zip(part, tokenizer.encode_batch(part)):
            ends, total = [0], 0
            for character in text:
                total += len(character.encode())
                ends.append(total)
            tokens = (f"{i}:{ends[a]}:{ends[b]}:{t}" for i, (a, b), t in zip(encoding.ids, encoding.offsets, encoding.type_ids))
            yield " ".join(tokens) + "\t" + tokenizer.decode(encoding.ids, skip_special_tokens=False).encode().hex()


def compare(program, name, folder, n_random):
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    words = [token for token in tokenizer.get_vocab() if len(token) < 30]
    texts = all_texts(n_random, random.Random(3).sample(sorted(words), min(200, len(words))))
    data = b"".join(struct.pack("<I", len(text.encode())) + text.encode() for text in texts)
    run = subprocess.run([program, folder], input=data, capture_output=True, check=False)
    if run.returncode != 0:
        print(name, "fails:", run.stderr.decode().strip())
        return 1
    found = run.stdout.decode().split("\n")[:-1]
    different = [(text, mine, theirs) for text, mine, theirs in zip(texts, found, expected_lines(tokenizer, texts), strict=True) if mine != theirs]
    ids_differ = sum([token.split(":")[0] for token in mine.split("\t")[0].split()] !=
                     [token.split(":")[0] for token in theirs.split("\t")[0].split()] for _, mine, theirs in different)
    print(f"{name}: {len(texts)} texts, {len(different)} different, {ids_differ} in their ids;", run.stderr.decode().strip().replace("\n", "; "), flush=True)
    for text, mine, theirs in different[:int(os.environ.get("SHOWN", "6"))]:
        print("   ", ascii(text)[:300], "\n        here ", mine[:400], "\n        there", theirs[:400])
    return len(different)


def main():
    program, arguments = sys.argv[1], sys.argv[2:]
    n_random = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else 100_000
    total = 0
    for name in arguments or KINDS:
        if os.path.isdir(name):
            total += compare(program, name, name, n_random)
            continue
        with tempfile.TemporaryDirectory() as folder:
            KINDS[name]().save(os.path.join(folder, "tokenizer.json"))
            total += compare(program, name, folder, n_random)
    sys.exit(total > 0)


if __name__ == "__main__":
    main()
