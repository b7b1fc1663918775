#!/usr/bin/env python3
"""Measures Headlight beside PyTorch, in turns, and prints a table of ratios.

    beside_pytorch.py PEER [--seconds S] [--only TEXT] [--write docs/performance.md]

PEER is the program pytorch_peer of the bench build. Needs torch and numpy, and torch_geometric for
one more peer of the graph layers, transformers for GPT-2; without torch only our side is measured:
    python3 -m venv VENV && VENV/bin/pip install torch==2.13.0 torch_geometric transformers==5.23.0
    HEADLIGHT_PYTHON=VENV/bin/python ./run bench

A turn of one side runs its work again and again and takes the median; the table has the fastest
turn of each side: what else runs on the machine makes a turn slower, never faster. With one thread a run costs the time of its processor, with two that of the wall.
"""
import argparse
import datetime
import math
import os
import platform
import statistics
import subprocess
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    torch = None
try:
    import transformers
except ImportError:
    transformers = None
try:
    from torch_geometric.nn import GATConv
except ImportError:
    GATConv = None

TURNS = 7


class Headlight:
    """Our side: a program that runs a named case when asked."""

    def __init__(self, program, level=None):
        environment = dict(os.environ)
        if level:
            environment["HEADLIGHT_KERNELS"] = level
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def ask(self, question):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("error"):
            raise RuntimeError(f"{question}: {answer or 'the program ended'}")
        return answer

    def seconds(self, case, threads, budget):
        return 1e-9 * float(self.ask(f"time {case} {threads} {budget}"))


def seconds_of(run, threads, budget):
    """The median time of one run, as the other side measures it."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    run()
    times = []
    while sum(times) < budget or len(times) < 3:
        begin = clock()
        run()
        times.append(clock() - begin)
    return statistics.median(times)


# ---- PyTorch's side ------------------------------------------------------------------------------


def attention(n, d, heads):
    layer = torch.nn.MultiheadAttention(d, heads)
    x = torch.randn(n, 1, d)

    def run():
        with torch.no_grad():
            F.multi_head_attention_forward(
                x, x, x, d, heads, layer.in_proj_weight, layer.in_proj_bias, None, None, False, 0.0,
                layer.out_proj.weight, layer.out_proj.bias, training=False, need_weights=True,
                average_attn_weights=False)
    return [run]


def gpt2(n):
    """12 layers of 12 heads, width 768; the patterns of all heads are returned."""
    if not transformers:
        return []
    model = transformers.GPT2Model(transformers.GPT2Config(vocab_size=n)).eval()
    model.set_attn_implementation("eager")
    words = torch.arange(n)[None]

    def run():
        with torch.no_grad():
            model(words, output_attentions=True, use_cache=False)
    return [run]


def minilm(n):
    """6 layers of 12 heads, width 384; the patterns of all heads are returned."""
    if not transformers:
        return []
    config = transformers.BertConfig(vocab_size=n, hidden_size=384, num_hidden_layers=6,
                                     num_attention_heads=12, intermediate_size=1536)
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    model.set_attn_implementation("eager")
    words = torch.arange(n)[None]

    def run():
        with torch.no_grad():
            model(words, output_attentions=True)
    return [run]


def softmax():
    scores = 4 * torch.randn(2048, 2048)
    return [lambda: torch.softmax(scores, -1)]


def additive():
    a, b, v = torch.randn(512, 128), torch.randn(512, 128), torch.randn(128)
    return [lambda: torch.tanh(a[:, None, :] + b[None, :, :]) @ v]


def random_graph(n_nodes, n_edges):
    edges = torch.randint(n_nodes, (2, n_edges))
    loops = torch.arange(n_nodes).repeat(2, 1)
    return torch.unique(torch.cat([edges, loops], 1), dim=1)


def gat(n_nodes, n_edges):
    heads, width = 8, 8
    source, target = edges = random_graph(n_nodes, n_edges)
    x, W = torch.randn(n_nodes, 64), torch.randn(64, heads * width)
    a_source, a_target = torch.randn(heads, width), torch.randn(heads, width)

    def index_add():
        h = (x @ W).view(n_nodes, heads, width)
        raw = (h * a_source).sum(-1)[source] + (h * a_target).sum(-1)[target]
        scores = F.leaky_relu(raw, 0.2)
        most = torch.full((n_nodes, heads), -math.inf)
        most = most.index_reduce(0, target, scores, "amax")
        weights = torch.exp(scores - most[target])
        sums = torch.zeros(n_nodes, heads).index_add(0, target, weights)
        pattern = weights / sums[target]
        return torch.zeros(n_nodes, heads, width).index_add(0, target,
                                                            pattern[..., None] * h[source])

    def quiet(run):
        def run_quietly():
            with torch.no_grad():
                run()
        return run_quietly

    runs = [quiet(index_add)]
    if GATConv:
        layer = GATConv(64, width, heads, add_self_loops=False)
        runs.append(quiet(lambda: layer(x, edges, return_attention_weights=True)))
    return runs


def block():
    layer = torch.nn.TransformerEncoderLayer(64, 4, 256, 0.0, batch_first=True)
    layers = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    x, seed = torch.randn(32, 16, 64, requires_grad=True), torch.ones(32, 16, 64)

    def run():
        layers.zero_grad()
        layers(x).backward(seed)
    return [run]


def training(compiled=False):
    """The same step: a causal encoder, layer norm first, the next word among 256, Adam."""
    embed, places = torch.nn.Embedding(256, 64), torch.nn.Parameter(torch.randn(16, 64))
    layer = torch.nn.TransformerEncoderLayer(64, 4, 256, 0.0, activation="gelu", batch_first=True,
                                             norm_first=True)
    layers = torch.nn.TransformerEncoder(layer, 2, norm=torch.nn.LayerNorm(64),
                                         enable_nested_tensor=False)
    unembed = torch.nn.Linear(64, 256, bias=False)
    modules = torch.nn.ModuleList([embed, layers, unembed])
    optimizer = torch.optim.Adam([places, *modules.parameters()], lr=1e-3)
    words, targets = torch.randint(0, 256, (32, 16)), torch.randint(0, 256, (32, 16))
    mask = torch.nn.Transformer.generate_square_subsequent_mask(16)

    def loss():
        logits = unembed(layers(embed(words) + places, mask=mask, is_causal=True))
        return F.cross_entropy(logits.reshape(-1, 256), targets.reshape(-1))
    loss_of_batch = torch.compile(loss) if compiled else loss
    make_step = torch.compile(optimizer.step) if compiled else optimizer.step

    def run():
        optimizer.zero_grad()
        loss_of_batch().backward()
        make_step()
    return [run]


def compiled_training():
    return training(compiled=True)


# ---- the table -----------------------------------------------------------------------------------


class Row:
    """One work: our case, what it is compared with, and the ratio it should not exceed."""

    def __init__(self, work, case, peer_name, peer, goal, threads=1, level=None):
        self.work, self.case, self.peer_name, self.peer = work, case, peer_name, peer
        self.goal, self.threads, self.level = goal, threads, level


SIZES = [((12, 64, 4), 0.15), ((32, 128, 8), 0.35), ((128, 512, 8), 0.75), ((512, 768, 12), 0.7),
         ((1024, 768, 12), 0.6), ((2048, 768, 12), 0.55)]
LAYER = "2048:768:12"


def rows():
    table = []
    for threads in (1, 2):
        for size, goal in SIZES:
            table.append(Row(f"multi-head forward {size}", "attention:%d:%d:%d" % size,
                             "multi_head_attention_forward", lambda size=size: attention(*size),
                             goal, threads))
    for threads in (1, 2):
        for n, goal in ((32, 0.7), (512, 0.7)):
            table.append(Row(f"GPT-2 small, {n} words, all patterns", f"gpt2:{n}",
                             "transformers, eager", lambda n=n: gpt2(n), goal, threads))
        for n in (5, 32, 128, 512):
            table.append(Row(f"MiniLM-L6, {n} words, all patterns", f"minilm:{n}",
                             "transformers, eager", lambda n=n: minilm(n), 0.7, threads))
    table.append(Row("softmax of 2048² rows", "softmax", "torch.softmax", softmax, 0.7))
    table.append(Row("softmax of 2048² rows", "softmax", "memcpy", "copy", 1.3))
    table.append(Row("additive scores 512 × 512 × 128", "additive", "broadcast form", additive,
                     0.1))
    for graph in [(34, 156), (2700, 10500), (20000, 200000), (200000, 2000000)]:
        table.append(Row(f"GAT {graph[0]} nodes, {graph[1]} edges", "gat:%d:%d" % graph,
                         "best of PyG and index_add", lambda graph=graph: gat(*graph), 0.15))
    table.append(Row("one weight of one head edited", f"edit:{LAYER}", "our whole layer",
                     f"attention:{LAYER}", 0.1))
    for level in (None, "avx2", "baseline"):
        table.append(Row(f"causal mask, n = 512, {level or 'best kernels'}", "causal:512:768:12",
                         "without mask", "attention:512:768:12", 1.1, level=level))
    table.append(Row("2 blocks forward + backward", "block", "TransformerEncoder", block, 0.35))
    for threads in (1, 2):
        table.append(Row("training step, 2 blocks", f"training:{threads}", "eager, Adam", training,
                         0.4, threads=threads))
        table.append(Row("training step, 2 blocks", f"training:{threads}", "torch.compile, Adam",
                         compiled_training, 1, threads=threads))
    return table


def measure(row, ours, budget):
    """Both sides in turns: seconds of ours and of the best peer, or None without one."""
    is_own = isinstance(row.peer, str)
    runs = [] if is_own or not torch else row.peer()
    mine, theirs = [], []
    for _ in range(TURNS):
        mine.append(ours.seconds(row.case, row.threads, budget))
        if is_own:
            theirs.append(ours.seconds(row.peer, row.threads, budget))
        elif runs:
            torch.set_num_threads(row.threads)
            theirs.append(min(seconds_of(run, row.threads, budget) for run in runs))
            time.sleep(0.05)  # its threads spin for a while
    return min(mine), min(theirs) if theirs else None


def readable(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def line_of(row, mine, theirs):
    work = row.work + (", 2 threads" if row.threads == 2 else "")
    ratio = mine / theirs if theirs else None
    cells = [work, readable(mine), row.peer_name, readable(theirs) if theirs else "–",
             f"{ratio:.2f}" if ratio else "–", f"≤ {row.goal}"]
    if ratio and ratio > row.goal:
        cells[4] = f"**{cells[4]}**"
    return "| " + " | ".join(cells) + " |"


def floor_lines(ours, budget):
    """The least time a layer could take here: its multiply-adds, exps and n × n matrices written."""
    def least(case):
        return min(ours.seconds(case, 1, budget) for _ in range(TURNS))

    flops = 2 * 1.28e8 / least("fma")
    write = 4 * 2048**2 / least("write")
    copy = 4 * 2048**2 / least("copy")
    lines = [f"Multiply-adds: {flops / 1e9:.0f} GFLOP/s; memcpy: {copy / 1e9:.1f} GB/s; writing "
             f"past the caches: {write / 1e9:.1f} GB/s.", "",
             "| multi-head forward | ours | floor | ratio | goal |", "|---|---|---|---|---|"]
    for (n, d, heads), _ in SIZES[2:]:
        floor = ((6 * n * d * d + 4 * n * n * d + 2 * n * d * d) / flops
                 + heads * n * n * 0.21e-9 + 2 * 4 * heads * n * n / write)
        mine = least(f"attention:{n}:{d}:{heads}")
        lines.append(f"| ({n}, {d}, {heads}) | {readable(mine)} | {readable(floor)} | "
                     f"{mine / floor:.2f} | ≤ 1.25 |")
    return lines


def memory_lines(ours):
    beyond_weights = int(ours.ask("bytes memory:4096:768:12")) - 4 * 768 * 768 * 4
    appears = ours.seconds("watch:4096:768:12", 1, 0.5)
    return [f"n = 4096, 12 heads, one watched: {beyond_weights / 1e6:.0f} MB beyond the weights "
            f"(goal: 400); a head watched later appears in {readable(appears)} (goal: 100 ms)."]


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def machine(ours):
    peer = f"PyTorch {torch.__version__}" if torch else "no PyTorch"
    return (f"{processor()}, {os.cpu_count()} cores; kernels: {ours.ask('level')}; {peer}; "
            f"{datetime.date.today()}.")


def write_page(path, lines):
    """Replaces what stands between the two marks in the page."""
    begin, end = "<!-- measured -->", "<!-- /measured -->"
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(begin)
    after = rest.split(end)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + "\n" + "\n".join(lines) + "\n" + end + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peer")
    parser.add_argument("--seconds", type=float, default=0.3, help="of one turn")
    parser.add_argument("--only", default="", help="works whose name contains this")
    parser.add_argument("--write", metavar="PAGE", help="a page with a measured part")
    options = parser.parse_args()

    levels = {level: Headlight(options.peer, level) for level in (None, "avx2", "baseline")}
    lines = []

    def show(line):
        print(line, flush=True)
        lines.append(line)

    show(machine(levels[None]))
    show("")
    show("| work | ours | peer | its time | ratio | goal |")
    show("|---|---|---|---|---|---|")
    for row in rows():
        if options.only not in row.work:
            continue
        try:
            show(line_of(row, *measure(row, levels[row.level], options.seconds)))
        except RuntimeError as error:  # a level that this machine does not have
            print(f"{row.work}: {error}", flush=True)
    if not options.only:
        for line in ["", *floor_lines(levels[None], options.seconds), "",
                     *memory_lines(levels[None])]:
            show(line)
    if options.write:
        write_page(options.write, lines)


if __name__ == "__main__":
    main()
