"""Small tokenizers of every kind, trained on made-up text of many scripts."""

import base64
import json
import random
import struct

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
from tokenizers import pre_tokenizers, processors, trainers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
          r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace("{1,3}", "")
QWEN35 = QWEN2.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(r"^\s\p{L}\p{N}]", r"^\s\p{L}\p{M}\p{N}]")

WORDS = """the cat sat on a mat it was tired because street wide don't we'll they've she's I'm
naïve café résumé Ångström straße ΣΊΣΥΦΟΣ λόγος Привет мир слово שלום עולם مرحبا بالعالم नमस्ते
दुनिया สวัสดี ชาวโลก 你好 世界 博物馆 こんにちは カタカナ 한국어 안녕하세요 ①②③ ½ 1234567 3.14 42
👩‍👩‍👧‍👦 🇫🇷 👍🏽 … “quoted” (brackets) [x] {y} <z> a_b snake_case camelCase http://example.org/?q=1
İstanbul ﬁne ﬀ ＦＵＬＬ ｶﾅ Ω Å e\u0301 n\u0303 \u0627\u064e""".split()


def training_text(seed=7, n_lines=400):
    """Lines of made-up sentences."""
    source = random.Random(seed)
    return [" ".join(source.choices(WORDS, k=source.randint(3, 12))) + source.choice([".", "!", "?", "\n", "  "])
            for _ in range(n_lines)]


def double_array(keys):
    """A darts-clone double array of {bytes: value}, as precompiled_charsmap has it."""
    trie = {}
    for key, value in keys.items():
        node = trie
        for byte in key:
            node = node.setdefault(byte, {})
        node[None] = value
    units, used = {0: 0}, {0}

    def place(node, index, is_root=False):
        labels = sorted(label if label is not None else 0 for label in node)
        base = 1
        while any((base ^ label) in used or (base ^ label) == 0 for label in labels) or (base ^ index) >= 1 << 21:
            base += 1
        offset = base if is_root else base ^ index
        units[index] = units.get(index, 0) | offset << 10 | ((1 << 8) if None in node else 0)
        for label in labels:
            used.add(base ^ label)
        for label, child in node.items():
            if label is None:
                units[base] = 1 << 31 | child
            else:
                units[base ^ label] = label
                place(child, base ^ label)

    place(trie, 0, True)
    size = max(units) + 256
    return b"".join(struct.pack("<I", units.get(k, 0)) for k in range(size))


def character_map(changes):
    """A precompiled_charsmap in base64, of {from: to}."""
    replacements, places = b"", {}
    for old, new in changes.items():
        places[old.encode()] = len(replacements)
        replacements += new.encode() + b"\0"
    units = double_array(places)
    return base64.b64encode(struct.pack("<I", len(units)) + units + replacements).decode()


CHARACTER_MAP = {"\u00a0": " ", "\u3000": " ", "\t": " ", "\n": " ", "\r": "", "\u200b": "", "ﬁ": "fi", "ﬀ": "ff", "½": "1⁄2",
                 "①": "1", "②": "2", "Ω": "Ω", "…": "...", "e\u0301": "é", "n\u0303": "ñ", "Å": "Å", "ｶ": "カ",
                 "\u0344": "\u0308\u0301", "㌀": "アパート", "\u00ad": "", "\ufeff": "", "🅰": "A", "\u0007": "", "Ｆ": "F", "ㅎ": "ᄒ"}


def byte_level(pre_tokenizer, normalizer=None, size=420):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
                                  special_tokens=["<|endoftext|>"], show_progress=False)
    tokenizer.train_from_iterator(training_text(), trainer)
    return tokenizer


def gpt2():
    tokenizer = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def roberta():
    tokenizer = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True))
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True), "<s>", "</s>"])
    ids = [tokenizer.token_to_id(name) for name in ("</s>", "<s>")]
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", ids[0]), ("<s>", ids[1]))
    return tokenizer


def by_regex(regex, normalizer=None, template=True):
    split = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(regex), "isolated"),
                                     pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer = byte_level(split, normalizer)
    tokenizer.add_special_tokens(["<|begin|>"])
    begin = tokenizer.token_to_id("<|begin|>")
    if template:
        tokenizer.post_processor = processors.Sequence([
            processors.ByteLevel(trim_offsets=True, add_prefix_space=False),
            processors.TemplateProcessing("<|begin|> $A", "<|begin|> $A <|begin|>:1 $B:1", [("<|begin|>", begin)])])
    return tokenizer


def neox():
    tokenizer = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False), normalizers.NFC())
    tokenizer.add_tokens([AddedToken("  ", normalized=False), AddedToken("   ", normalized=False),
                          AddedToken("naïve", normalized=True, single_word=True)])
    return tokenizer


def llama2(metaspace=False):
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    specials = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=specials, show_progress=False, limit_alphabet=90)
    # The training must not join words.
    tokenizer.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    tokenizer.train_from_iterator(training_text(), trainer)
    state = json.loads(tokenizer.to_str())
    state["pre_tokenizer"] = None
    state["added_tokens"] = state["added_tokens"][:3]
    if metaspace:
        state["normalizer"] = None
        state["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
    tokenizer = Tokenizer.from_str(json.dumps(state))
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                           decoders.Strip(" ", 1, 0)])
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A", "<s> $A <s>:1 $B:1", [("<s>", 1)])
    return tokenizer


def bert(lowercase=True, **options):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase, **options)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=400, special_tokens=specials, show_progress=False, limit_alphabet=110)
    tokenizer.train_from_iterator(training_text(), trainer)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def t5(is_split=True):
    pieces = {"<pad>": 0.0, "</s>": 0.0, "<unk>": 0.0}
    source = random.Random(5)
    for line in training_text():
        for word in line.split():
            for k in range(1, len(word) + 1):
                if source.random() < 0.12:
                    pieces.setdefault("▁" + word[:k], -source.uniform(3, 12))
                if source.random() < 0.1:
                    pieces.setdefault(word[k - 1:k + source.randint(0, 3)], -source.uniform(4, 13))
    pieces.pop("", None)
    pieces.setdefault("▁", -3.5)
    tokenizer = Tokenizer(models.Unigram(list(pieces.items())[:420], unk_id=2))
    state = json.loads(tokenizer.to_str())
    state["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": character_map(CHARACTER_MAP)}
    tokenizer = Tokenizer.from_str(json.dumps(state))
    if not is_split:
        tokenizer.normalizer = normalizers.Sequence([normalizers.Strip(left=False, right=True), tokenizer.normalizer,
                                                     normalizers.Replace(Regex(" {2,}"), "▁")])
    metaspace = pre_tokenizers.Metaspace("▁", "always", split=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace]) if is_split else metaspace
    tokenizer.post_processor = processors.TemplateProcessing("$A </s>", "$A </s> $B </s>", [("</s>", 1)])
    tokenizer.decoder = decoders.Metaspace("▁", "always")
    tokenizer.add_special_tokens(["<pad>", "</s>", "<unk>", AddedToken("<extra_id_0>", lstrip=True, rstrip=True, special=True)])
    return tokenizer


def xlm():
    """Compatibility forms, unknown bytes, digits and punctuation by themselves."""
    tokenizer = t5(False)
    state = json.loads(tokenizer.to_str())
    state["model"]["vocab"] += [[f"<0x{byte:02X}>", -20.0] for byte in range(256)]
    state["model"]["byte_fallback"] = True
    state["added_tokens"] = state["added_tokens"][:3]
    tokenizer = Tokenizer.from_str(json.dumps(state))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Punctuation(), pre_tokenizers.Digits(True),
                                                       pre_tokenizers.Metaspace("▁", "first", split=True)])
    return tokenizer


def clip():
    """End-of-word suffixes, words by \\w, canonical forms taken apart."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>", continuing_subword_prefix=""))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(vocab_size=380, special_tokens=["<unk>"], end_of_word_suffix="</w>", show_progress=False,
                                  limit_alphabet=90)
    tokenizer.train_from_iterator(training_text(), trainer)
    tokenizer.decoder = decoders.BPEDecoder("</w>")
    return tokenizer


def bytes_normalized():
    tokenizer = byte_level(pre_tokenizers.Split(Regex(LLAMA3), "isolated"), None)
    state = json.loads(tokenizer.to_str())
    tokenizer = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKD(), normalizers.ByteLevel()])
    tokenizer.pre_tokenizer = pre_tokenizers.Digits(False)
    tokenizer.add_tokens([AddedToken("Ångström x", normalized=True)])
    return tokenizer


KINDS = {
    "gpt2": gpt2,
    "roberta": roberta,
    "llama3": lambda: by_regex(LLAMA3),
    "qwen2": lambda: by_regex(QWEN2, normalizers.NFC()),
    "qwen35": lambda: by_regex(QWEN35),
    "neox": neox,
    "llama2": llama2,
    "mistral": lambda: llama2(True),
    "bert": bert,
    "bert_cased": lambda: bert(False, strip_accents=False),
    "bert_accents": lambda: bert(True, strip_accents=False, handle_chinese_chars=False),
    "t5": t5,
    "t5_whole": lambda: t5(False),
    "xlm": xlm,
    "clip": clip,
    "bytes_normalized": bytes_normalized,
}
