#!/usr/bin/env python3
"""Measures a GPT-2 in Headlight's window beside transformers, and prints a table.

    beside_transformers.py BENCH_MODEL FOLDER [--make] [--write docs/performance.md]

BENCH_MODEL is the program of that name in the bench build; FOLDER a model's. --make saves a GPT-2
small with random weights there first (500 MB), with a tokenizer of as many tokens. Needs torch,
transformers and tokenizers. transformers runs eager attention and returns the patterns of
all heads, with one thread. Times are processor time of all threads together: other work on the
machine does not count. Every number is the least of several turns, in which the sides alternate.
"""
import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

TURNS = 3
MARKS = "<!-- models -->", "<!-- /models -->"

OPEN = """
import sys, torch, transformers
torch.set_num_threads(1)
model = transformers.AutoModelForCausalLM.from_pretrained(sys.argv[1], attn_implementation="eager")
tokenizer = transformers.AutoTokenizer.from_pretrained(sys.argv[1])
ids = tokenizer(sys.argv[2], return_tensors="pt").input_ids
with torch.no_grad():
    model(ids, output_attentions=True, use_cache=False)
"""

TYPE = """
import sys, time, torch, transformers
torch.set_num_threads(1)
model = transformers.AutoModelForCausalLM.from_pretrained(sys.argv[1], attn_implementation="eager")
times = []
with torch.no_grad():
    for turn in range(12):
        ids = torch.randint(0, 50000, (1, 32))
        begin = time.process_time()
        model(ids, output_attentions=True, use_cache=False)
        times.append(time.process_time() - begin)
print(min(times))
"""


def make_model(folder):
    """GPT-2 small with random weights. Its tokens are bytes, and pairs of tokens before them."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens, merges = list(alphabet), []
    known = set(tokens)
    for left in tokens:  # grows meanwhile
        for right in alphabet:
            if len(tokens) < 50256 and left + right not in known:
                tokens.append(left + right)
                known.add(left + right)
                merges.append((left, right))
        if len(tokens) == 50256:
            break
    bpe = models.BPE(vocab={token: k for k, token in enumerate(tokens)}, merges=merges)
    tokenizer = Tokenizer(bpe)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer,
                                         eos_token="<|endoftext|>").save_pretrained(folder)
    torch.manual_seed(1)
    transformers.GPT2LMHeadModel(transformers.GPT2Config()).save_pretrained(folder)


def run(command):
    """Seconds, the most memory in bytes, and what was printed."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            raise RuntimeError(f"{command[0]} failed")
        out.seek(0)
        return usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss, out.read()


def text_of(folder, n_tokens):
    """The words of bench_model, until there are so many tokens."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    words = itertools.cycle([" cat", " and", " the", " mat", " in", " a", " house"])
    text = "The"
    while len(tokenizer.encode(text)) < n_tokens:
        text += next(words)
    return text


def measure(bench, folder):
    """What bench_model measures, and the same of transformers, by name."""
    text, numbers = text_of(folder, 64), {}

    def take(what, number):
        numbers[what] = min(float(number), numbers.get(what, float("inf")))

    for _ in range(TURNS):
        for line in run([bench, folder])[2].splitlines():
            take(*line.split("\t"))
        seconds, peak, _ = run([sys.executable, "-c", OPEN, folder, text])
        take("their first patterns", seconds)
        take("their peak memory", peak)
        take("their evaluation", run([sys.executable, "-c", TYPE, folder])[2])
    return numbers


def table(measured):
    weights = measured["weights"]

    def milliseconds(what):
        return f"{1000 * measured[what]:.0f} ms"

    def beyond_weights(what):
        return f"{(measured[what] - weights) / 1e6:.0f} MB"

    return [f"The weights are {weights / 1e6:.0f} MB.", "",
            "| GPT-2 small | ours | transformers, eager | goal |", "|---|---|---|---|",
            f"| from the program's start to the patterns of 64 tokens | "
            f"{measured['first patterns']:.2f} s | {measured['their first patterns']:.2f} s | "
            f"≤ 2 s |",
            f"| its memory beyond the weights | {beyond_weights('peak memory')} | "
            f"{beyond_weights('their peak memory')} | ≤ 500 MB |",
            f"| a letter at the end of 32 tokens | {milliseconds('a letter at the end')} | "
            f"{milliseconds('their evaluation')} | ≤ 150 ms |",
            f"| a letter in the middle of 32 tokens | {milliseconds('a letter in the middle')} | "
            f"{milliseconds('their evaluation')} | ≤ 150 ms |",
            f"| memory beyond the weights after 26 letters | "
            f"{beyond_weights('peak memory at the end')} | | ≤ 500 MB |"]


def write_page(path, lines):
    begin, end = MARKS
    page = pathlib.Path(path).read_text(encoding="utf-8")
    before, rest = page.split(begin)
    after = rest.split(end)[1]
    pathlib.Path(path).write_text(before + begin + "\n" + "\n".join(lines) + "\n" + end + after,
                                  encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench_model")
    parser.add_argument("folder")
    parser.add_argument("--make", action="store_true", help="save a random model there first")
    parser.add_argument("--write", metavar="PAGE", help="a page with a measured part")
    options = parser.parse_args()
    if options.make:
        make_model(options.folder)
    lines = table(measure(options.bench_model, options.folder))
    print("\n".join(lines))
    if options.write:
        write_page(options.write, lines)


if __name__ == "__main__":
    main()
