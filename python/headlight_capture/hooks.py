"""Records the attention of a PyTorch model while it runs.

Three ways lead to a pattern, in this order: the function `eager_attention_forward` of a model of
transformers, which has queries, keys and values, too; `torch.nn.MultiheadAttention`, which is asked
for the weights of each head; and any other module that returns weights [batch, heads, n, m] beside
its output. One pass through the model is one batch of texts.
"""

import contextlib
import functools
import sys

import torch
from torch import nn

from .arrays import to_numpy
from .errors import CaptureError
from .pictures import grid_of, shown_values
from .shards import Writer, recording_base, join_parts

FUNCTION = "eager_attention_forward"
CROSS_NAMES = ("cross", "encdec", "encoder_attn", "encoder_decoder")


class Call:
    """One call of an attention: arrays [batch, heads, rows, columns] by part."""

    def __init__(self, name, is_cross, parts):
        self.name, self.is_cross = name, is_cross
        self.parts = {part: to_numpy(array) for part, array in parts.items() if array is not None}


@contextlib.contextmanager
def capture(
    model,
    path,
    *,
    tokens=None,
    source=None,
    tokenizer=None,
    pictures=None,
    processor=None,
    grid=None,
    qkv=False,
    dtype="float32",
    split="texts",
    shard_bytes=1 << 30,
):
    """Records what attention does in every pass through the model within the block.

    path: NAME or NAME.attention.json; beside it the shards are written.
    tokens, source: lists of tokens, one a text, in the order in which the texts come; `source` of a
        model that reads one. Without them a tokenizer turns the model's input ids into tokens; else
        tokens are numbered. With tokens, what comes after them in a row is padding; what an
        attention_mask closes is left out in any case.
    pictures: of a model that reads pixel_values, one a text (arrays, PIL images or paths); without
        them what it read is shown, in the range that it had before the `processor` normalised it.
    grid: (rows, columns) of its patches, where the model's config has no patch_size.
    qkv: also queries, keys and values.
    split: what processes share out, "texts" (DDP, FSDP) or "heads"; see join. Each process writes
        its own shards, and rank 0 the index: all must see one folder.
    dtype, shard_bytes: of the files; see Writer.
    Raises CaptureError if nothing can be recorded. Yields the Writer.
    """
    rank, world = process_place()
    recording_base(path)
    tokens, source = list_of_texts(tokens, "tokens"), list_of_texts(source, "source")
    writer = Writer(
        path, model=type(model).__name__, dtype=dtype, rank=rank, world=world,
        shard_bytes=shard_bytes,
    )
    recorder = Recorder(model, writer, tokens, source, tokenizer, qkv)
    recorder.pictures = Pictures(pictures, processor, grid)
    with recorder.attached():
        yield writer
    if tokens is not None and recorder.n_texts != len(tokens):
        raise CaptureError(f"there are tokens of {len(tokens)} texts, but {recorder.n_texts} came by")
    if recorder.n_texts == 0 and world == 1:
        raise CaptureError(
            "no attention came by: run the model within the block; a module that is neither of "
            "transformers nor nn.MultiheadAttention is recorded if the name of its class has "
            "Attention in it and it returns its weights (often with output_attentions=True)"
        )
    writer.close()
    if world > 1:
        join_ranks(writer, path, rank, world, split)


def process_place():
    """(rank, number of processes)"""
    group = torch.distributed
    if group.is_available() and group.is_initialized():
        return group.get_rank(), group.get_world_size()
    return 0, 1


def join_ranks(writer, path, rank, world, split):
    """Rank 0 makes the index once all have written, and all wait for it."""
    torch.distributed.barrier()
    problem = [None]
    if rank == 0:
        try:
            join_parts(recording_base(path), list(range(world)), split)
        except CaptureError as error:
            problem = [str(error)]
    torch.distributed.broadcast_object_list(problem, src=0)
    if problem[0]:
        raise CaptureError(problem[0])


def list_of_texts(texts, name):
    """A list of lists of tokens; one list of tokens is one text."""
    if texts is None:
        return None
    texts = list(texts)
    if texts and all(isinstance(token, str) for token in texts):
        texts = [texts]
    if any(isinstance(text, str) for text in texts):
        raise CaptureError(f"{name} must be lists of tokens; split each text first")
    return [[str(token) for token in text] for text in texts]


class Recorder:
    def __init__(self, model, writer, tokens, source, tokenizer, qkv):
        self._model, self._writer, self._tokenizer, self._qkv = model, writer, tokenizer, qkv
        self._tokens, self._source = tokens, source
        self._names = {id(module): name for name, module in model.named_modules()}
        self._calls, self._inputs, self._is_in_pass = [], {}, False
        self.pictures = Pictures()
        self.n_texts = 0

    # ---- attaching ----

    @contextlib.contextmanager
    def attached(self):
        with contextlib.ExitStack() as stack:
            self._prefer_eager(stack)
            self._wrap_functions(stack)
            for module in self._model.modules():
                if isinstance(module, nn.MultiheadAttention):
                    self._wrap_multihead(stack, module)
            self._hook_others(stack)
            self._hook_model(stack)
            yield

    def _prefer_eager(self, stack):
        """Fused attention has no weights: what can be switched is, for the block."""
        for module in self._model.modules():
            implementation = getattr(getattr(module, "config", None), "_attn_implementation", None)
            if implementation in (None, "eager") or not hasattr(module, "set_attn_implementation"):
                continue
            module.set_attn_implementation("eager")
            stack.callback(module.set_attn_implementation, implementation)
        if hasattr(torch.backends, "mha"):
            before = torch.backends.mha.get_fastpath_enabled()
            torch.backends.mha.set_fastpath_enabled(False)
            stack.callback(torch.backends.mha.set_fastpath_enabled, before)

    def _wrap_functions(self, stack):
        """The eager attention of each file of transformers that the model has modules of."""
        files = {type(module).__module__ for module in self._model.modules()}
        for file in sorted(files):
            scope = vars(sys.modules.get(file, sys))
            function = scope.get(FUNCTION)
            if not callable(function):
                continue
            scope[FUNCTION] = self._wrapped_function(function)
            stack.callback(scope.__setitem__, FUNCTION, function)

    def _wrapped_function(self, function):
        @functools.wraps(function)
        def wrapped(module, query, key, value, *rest, **named):
            output, weights = function(module, query, key, value, *rest, **named)
            name = self._names.get(id(module))
            if name is not None and weights is not None and weights.dim() == 4:
                parts = {"pattern": weights, "q": query, "k": key, "v": value}
                self._record(name, self._is_cross(module, name), parts)
            return output, weights

        return wrapped

    def _wrap_multihead(self, stack, module):
        """Asks nn.MultiheadAttention for the weights of each head, and gives back what was wanted."""
        forward = module.forward
        had_own = "forward" in vars(module)
        name = self._names[id(module)]

        @functools.wraps(forward)
        def wrapped(query, key, value, *rest, **named):
            names = ("key_padding_mask", "need_weights", "attn_mask", "average_attn_weights")
            named.update(zip(names, rest))
            is_wanted = named.get("need_weights", True)
            is_mean = named.get("average_attn_weights", True)
            named.update(need_weights=True, average_attn_weights=False)
            output, weights = forward(query, key, value, **named)
            parts = {"pattern": weights if weights.dim() == 4 else weights[None]}
            if self._qkv:
                parts.update(projected(module, query, key, value))
            self._record(name, query is not key, parts)
            if not is_wanted:
                return output, None
            return output, weights.mean(dim=-3) if is_mean else weights

        module.forward = wrapped
        if had_own:
            stack.callback(setattr, module, "forward", forward)
        else:
            stack.callback(delattr, module, "forward")

    def _hook_others(self, stack):
        """Modules that return weights, unless something within them was recorded."""
        began = []

        def before(module, _):
            began.append(len(self._calls))

        def after(module, _, output):
            if began.pop() != len(self._calls) or not isinstance(output, (tuple, list)):
                return
            weights = [part for part in output if is_pattern(part)]
            name = self._names[id(module)]
            if len(weights) == 1 and "attention" in type(module).__name__.lower():
                self._record(name, self._is_cross(module, name), {"pattern": weights[0]})

        for module in self._model.modules():
            if isinstance(module, nn.MultiheadAttention):
                continue
            stack.callback(module.register_forward_pre_hook(before).remove)
            stack.callback(module.register_forward_hook(after).remove)

    def _hook_model(self, stack):
        def before(module, args, named):
            self._calls.clear()
            self._inputs = {**({first_input(args[0]): args[0]} if args else {}), **named}
            self._is_in_pass = True

        def after(module, args, output):
            self._is_in_pass = False
            self._finish_pass()

        stack.callback(
            self._model.register_forward_pre_hook(before, with_kwargs=True, prepend=True).remove
        )
        stack.callback(self._model.register_forward_hook(after).remove)

    # ---- a pass ----

    @staticmethod
    def _is_cross(module, name):
        if getattr(module, "is_cross_attention", False):
            return True
        words = (name.rpartition(".")[2] + " " + type(module).__name__).lower()
        parent = name.rpartition(".")[0].rpartition(".")[2].lower()
        return any(cross in words or cross in parent for cross in CROSS_NAMES)

    def _record(self, name, is_cross, parts):
        """Only what happens within a pass: a backward pass may compute it once more."""
        if not self._is_in_pass:
            return
        if not self._qkv:
            parts = {"pattern": parts["pattern"]}
        self._calls.append(Call(name, is_cross, parts))

    def _finish_pass(self):
        calls = by_kind(self._calls)
        self._calls.clear()
        if not calls:
            return
        batch = len(next(iter(calls.values()))[0].parts["pattern"])
        rows = self._places(calls, "self", "cross", 2, "decoder_" if "cross" in calls else "")
        columns = self._places(calls, "source", "cross", 3, "")
        for item in range(batch):
            self._add_text(calls, item, rows, columns)

    def _places(self, calls, own, cross, axis, prefix):
        """Of tokens or source: (how many rows, mask or None, input ids or None)."""
        if own == "source" and "cross" not in calls and "source" not in calls:
            return None
        of_own = calls.get(own)
        shape = of_own[0].parts["pattern"].shape if of_own else None
        n = shape[3] if shape else calls[cross][0].parts["pattern"].shape[axis]
        if shape and shape[2] != shape[3]:
            raise CaptureError(
                f"{of_own[0].name}: the pattern is {shape[2]} × {shape[3]}; where earlier tokens are "
                "cached, run the model once over the whole text, with use_cache=False"
            )

        def fitting(name):
            value = self._inputs.get(prefix + name)
            fits = torch.is_tensor(value) and value.dim() == 2 and value.shape[1] == n
            return value.detach().cpu().numpy() if fits else None

        return n, fitting("attention_mask"), fitting("input_ids")

    def _add_text(self, calls, item, rows, columns):
        number = self.n_texts
        self.n_texts += 1
        is_own = self._tokens is None and set(calls) == {"self"}
        if is_own and self._add_picture(calls, item, number):
            return
        tokens, kept_rows = self._tokens_at(rows, item, self._tokens, number, "tokens")
        source, kept_columns = None, kept_rows
        if columns:
            source, kept_columns = self._tokens_at(columns, item, self._source, number, "source")
        kept = {
            "self": (kept_rows, kept_rows),
            "cross": (kept_rows, kept_columns),
            "source": (kept_columns, kept_columns),
        }
        attentions = {}
        for kind, layers in calls.items():
            read, looked_at = kept[kind]
            own = {"pattern": read, "q": read, "k": looked_at, "v": looked_at}
            attentions[kind] = {
                part: [
                    cut(layer, part, item, own[part], looked_at) for layer in layers
                ]
                for part in layers[0].parts
            }
        self._writer.add(tokens, attentions, source)

    def _add_picture(self, calls, item, number):
        """Whether the text is the patches of a picture."""
        layers = calls["self"]
        n = layers[0].parts["pattern"].shape[3]
        found = self.pictures.find(self._model, self._inputs, item, number, n)
        if not found:
            return False
        picture, grid = found
        parts = {part: [layer.parts[part][item] for layer in layers] for part in layers[0].parts}
        self._writer.add_picture(picture, parts, grid)
        return True

    def _tokens_at(self, places, item, given, number, name):
        """The tokens of a text, and where they are in a row."""
        n, mask, ids = places
        kept = [i for i in range(n) if mask is None or mask[item][i]]
        if given is not None:
            if number >= len(given):
                raise CaptureError(f"{name} has {len(given)} texts, but more came by")
            tokens = given[number]
            if mask is None:
                kept = kept[: len(tokens)]
            if len(kept) != len(tokens):
                raise CaptureError(
                    f"text {number} has {len(tokens)} {name}, but the model read {len(kept)}"
                )
            return tokens, kept
        if ids is not None and self._tokenizer is not None:
            return self._tokenizer.convert_ids_to_tokens([int(ids[item][i]) for i in kept]), kept
        return [str(i) for i in range(len(kept))], kept


class Pictures:
    """What a model reads that cuts pictures into patches."""

    def __init__(self, pictures=None, processor=None, grid=None):
        self._pictures = None if pictures is None else list(pictures)
        self._processor, self._grid = processor, grid

    def find(self, model, inputs, item, number, n):
        """(picture, grid) of a text of n tokens; None if it is of no picture."""
        pixels = inputs.get("pixel_values")
        is_given = torch.is_tensor(pixels) and pixels.dim() == 4
        grid = self._grid
        if grid is None and is_given:
            grid = grid_of(getattr(model, "config", None), pixels)
        if not grid or grid[0] * grid[1] > n or not (is_given or self._pictures):
            if self._pictures is not None:
                raise CaptureError(
                    f"pictures are given, but {n} tokens are not known as patches of one: "
                    "say grid=(rows, columns)"
                )
            return None
        if self._pictures is None:
            return shown_values(pixels[item], self._processor), grid
        if number >= len(self._pictures):
            raise CaptureError(f"pictures has {len(self._pictures)}, but more came by")
        return self._pictures[number], grid


def first_input(value):
    """What the first argument of a model is called."""
    return "pixel_values" if torch.is_tensor(value) and value.dim() == 4 else "input_ids"


def cut(call, part, item, rows, columns):
    """[heads, rows, columns] of one text, without padding."""
    array = call.parts[part][item][:, rows]
    return array[:, :, columns] if part == "pattern" else array


def is_pattern(value):
    """[batch, heads, n, m] of shares."""
    if not torch.is_tensor(value) or value.dim() != 4 or not value.is_floating_point():
        return False
    return bool((value.detach() >= 0).all()) and bool((value.detach() <= 1.001).all())


def by_kind(calls):
    """The calls of a pass, layer by layer: cross-attention makes its network a decoder."""
    kinds = {}
    has_cross = any(call.is_cross for call in calls)
    for call in calls:
        is_encoder = has_cross and "encoder" in call.name.split(".")
        kind = "cross" if call.is_cross else "source" if is_encoder else "self"
        kinds.setdefault(kind, []).append(call)
    return kinds


def projected(module, query, key, value):
    """Queries, keys and values of nn.MultiheadAttention, [batch, heads, rows, width]."""
    if module.in_proj_weight is not None:
        weights = module.in_proj_weight.chunk(3)
    else:
        weights = (module.q_proj_weight, module.k_proj_weight, module.v_proj_weight)
    biases = (None,) * 3 if module.in_proj_bias is None else module.in_proj_bias.chunk(3)
    parts = {}
    for part, rows, weight, bias in zip("qkv", (query, key, value), weights, biases):
        rows = rows[None] if rows.dim() == 2 else rows if module.batch_first else rows.transpose(0, 1)
        heads = nn.functional.linear(rows, weight, bias)
        parts[part] = heads.unflatten(-1, (module.num_heads, -1)).transpose(1, 2)
    if module.bias_k is not None or module.add_zero_attn:
        return {}  # the pattern has columns that are no token
    return parts
