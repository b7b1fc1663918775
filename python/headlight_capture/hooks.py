"""Records the attention of a PyTorch model while it runs.

Three ways lead to a pattern, in this order: the function `eager_attention_forward` of a model of
transformers, which has queries, keys and values, too; `torch.nn.MultiheadAttention`, which is asked
for the weights of each head; and any other module that returns weights [batch, heads, n, m] beside
its output. One pass through the model is one batch of texts, of one stack of layers (see stacks).
"""

import contextlib
import functools
import inspect
import sys

import torch
from torch import nn

from .arrays import to_numpy
from .errors import CaptureError
from .pictures import grid_of, shown_values
from .shards import Writer, recording_base, join_parts
from .stacks import (
    Call, Origins, choice_of, choices_in, chosen_stack, is_asserted, is_chosen,
    is_named_cross, tracking,
)

FUNCTION = "eager_attention_forward"


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
    stack=None,
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
    stack: of a model that runs several stacks of attention in a pass (vision and language, two
        encoders), which one is recorded: a part of the names of its modules, such as
        "language_model" or "layers.0", where * stands for any part. A list of them says that what
        they name is one stack, layer after layer. Without stack such a model is refused, and the
        message says what can be chosen.
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
    recorder.pictures, recorder.stack = Pictures(pictures, processor, grid), stack
    with recorder.attached():
        yield writer
    if tokens is not None and recorder.n_texts != len(tokens):
        raise CaptureError(f"there are tokens of {len(tokens)} texts, but {recorder.n_texts} came by")
    if recorder.n_texts == 0 and world == 1:
        raise CaptureError("no attention came by: " + recorder.why_nothing())
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
        self._modules = dict(model.named_modules())
        self._names = {id(module): name for name, module in self._modules.items()}
        self._calls, self._inputs, self._is_in_pass = [], {}, False
        self._origins, self._input_bits, self._n_calls, self._began = Origins(), {}, {}, []
        self._n_passes = 0
        self.pictures, self.stack = Pictures(), None
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
            stack.enter_context(tracking(self._origins))
            yield

    def _prefer_eager(self, stack):
        """Fused attention has no weights: what can be switched is, for the block."""
        stack.callback(restore_implementations, implementations(self._model))
        for module in self._model.modules():
            config = getattr(module, "config", None)
            if getattr(config, "_attn_implementation", None) in (None, "eager"):
                continue
            if FUNCTION in scope_of(module):
                config._attn_implementation = "eager"  # what it reads whenever it is called
            elif can_switch(module):
                module.set_attn_implementation("eager")
        if hasattr(torch.backends, "mha"):
            before = torch.backends.mha.get_fastpath_enabled()
            torch.backends.mha.set_fastpath_enabled(False)
            stack.callback(torch.backends.mha.set_fastpath_enabled, before)

    def _wrap_functions(self, stack):
        """The eager attention of each file of transformers that the model has modules of."""
        scopes = {type(module).__module__: scope_of(module) for module in self._model.modules()}
        for _, scope in sorted(scopes.items()):
            function = scope.get(FUNCTION)
            if not callable(function):
                continue
            scope[FUNCTION] = self._wrapped_function(function)
            stack.callback(scope.__setitem__, FUNCTION, function)

    def _wrapped_function(self, function):
        @functools.wraps(function)
        def wrapped(module, query, key, value, *rest, **named):
            origins, key_origins = self._origins.of(query), self._origins.of(key)
            output, weights = function(module, query, key, value, *rest, **named)
            name = self._names.get(id(module))
            if name is not None and weights is not None and weights.dim() == 4:
                parts = {"pattern": weights, "q": query, "k": key, "v": value}
                is_cross = is_named_cross(module, name, weights)
                call = Call(name, is_cross, weights.shape, origins, key_origins)
                self._record(call, parts, output)
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
            origins, key_origins = self._origins.of(query), self._origins.of(key)
            self._n_calls[name] = self._n_calls.get(name, 0) + 1
            output, weights = forward(query, key, value, **named)
            parts = {"pattern": weights if weights.dim() == 4 else weights[None]}
            if self._qkv:
                parts.update(projected(module, query, key, value))
            call = Call(name, query is not key, parts["pattern"].shape, origins, key_origins)
            self._record(call, parts, output)
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

        def before(module, args, named):
            name = self._names[id(module)]
            self._n_calls[name] = self._n_calls.get(name, 0) + 1
            self._began.append((len(self._calls), self._origins.of((args, named))))

        def after(module, _, output):
            n_before, origins = self._began.pop()
            if not self._origins.of(output):  # where it was computed by what is no function of torch
                self._origins.add(output, origins)
            if n_before != len(self._calls) or not isinstance(output, (tuple, list)):
                return
            if "attention" not in type(module).__name__.lower():
                return
            name = self._names[id(module)]
            weights = [part for part in output if is_pattern(part)]
            if len(weights) == 1:
                shape, is_cross = weights[0].shape, is_named_cross(module, name, weights[0])
                call = Call(name, is_cross, shape, origins, origins)
                call.sums_to_one = has_shares(weights[0])
                self._record(call, {"pattern": weights[0]}, output)

        for module in self._model.modules():
            if isinstance(module, nn.MultiheadAttention):
                continue
            stack.callback(module.register_forward_pre_hook(before, with_kwargs=True).remove)
            stack.callback(module.register_forward_hook(after).remove)

    def _hook_model(self, stack):
        def before(module, args, named):
            self._forget_pass()
            self._inputs = {**({first_input(args[0]): args[0]} if args else {}), **named}
            for place, (name, value) in enumerate(self._inputs.items()):
                self._input_bits[name] = 1 << place
                self._origins.add(value, 1 << place)
            self._is_in_pass = True
            self._n_passes += 1

        def after(module, args, output):
            self._is_in_pass = False
            self._finish_pass()

        stack.callback(
            self._model.register_forward_pre_hook(before, with_kwargs=True, prepend=True).remove
        )
        stack.callback(self._model.register_forward_hook(after).remove)

    # ---- a pass ----

    def _forget_pass(self):
        for kept in (self._calls, self._input_bits, self._n_calls, self._began, self._origins):
            kept.clear()

    def _record(self, call, parts, output):
        """Only what happens within a pass: a backward pass may compute it once more."""
        if not self._is_in_pass:
            return
        call.bit = 1 << (len(self._input_bits) + len(self._calls))
        self._origins.add(output, call.bit)
        self._calls.append(call)
        if is_chosen(self.stack, call.name):
            for part, array in parts.items():
                if part == "pattern" or (self._qkv and array is not None):
                    call.parts[part] = to_numpy(array)

    def _finish_pass(self):
        calls = list(self._calls)
        if calls:
            stack = chosen_stack(calls, self.stack, self._obstacle)
            own, cross, source = (stack.kinds.get(kind, [None])[0]
                                  for kind in ("self", "cross", "source"))
            first, columns = own or cross, None
            rows = self._places(first.shape[2], first.origins, ("decoder_", ""))
            if cross:
                read = (source or cross).key_origins
                columns = self._places(cross.shape[3], read, ("", "decoder_"))
            for item in range(first.shape[0]):
                self._add_text(stack, item, rows, columns)
        self._forget_pass()

    def _obstacle(self, stack, stacks):
        """Why a stack cannot be recorded, or None."""
        for name in stack.names:
            n_times = sum(name in other.names for other in stacks)
            if n_times > 1:
                return self._why_not_repeated(name, n_times)
        call, (batch, _, rows, columns) = stack.calls[0], stack.calls[0].shape
        given = self._batches(stack)
        is_of_parts = batch > 1 and given and batch not in given and not is_asserted(self.stack)
        is_compressed = not call.is_cross and rows != columns
        if not is_of_parts and not is_compressed:
            return None
        if not call.sums_to_one:
            shape = " × ".join(map(str, call.shape))
            return (
                f"what {call.name} returns, {shape}, is not [batch, heads, n, m]: rows do not sum to 1"
            )
        if is_compressed:
            return f"{call.name}: the pattern is {rows} × {columns}; " + self._why_not_square()
        choice = list(choices_in(choice_of(stack, self._calls)))
        return (
            f"{call.name}: the pattern is of {batch} rows of {rows} tokens, but the model reads "
            f"{max(given)} at once: it cuts each into parts, which other layers may cut otherwise, as "
            f"shifted windows. capture(model.get_submodule({call.name!r}), …) records the parts of "
            f"this module; if all layers have the same parts, stack={choice!r} does"
        )

    def _why_not_square(self):
        if any(value is not None and value is not False for name, value in self._inputs.items()
               if "past" in name or "cache" in name):
            return (
                "where earlier tokens are cached, run the model once over the whole text, with "
                "use_cache=False"
            )
        return (
            "self-attention is recorded of all tokens to all tokens, not to fewer or others (pooled, "
            "local or cached ones)"
        )

    def _why_not_repeated(self, name, n_times):
        parts = name.split(".")
        outer = [".".join(parts[:n]) for n in range(1, len(parts) + 1)]
        called = next((path for path in outer if self._n_calls.get(path, 0) > 1), None)
        if called is None:
            return (
                f"{name} attends {n_times} times within one call, to parts that do not read each "
                "other (pictures or windows): give the model one at a time"
            )
        return (
            f"{called} is called {self._n_calls[called]} times in a pass, each time on its own: "
            f"capture(model.get_submodule({called!r}), …) records each call as a text of its own"
        )

    def _batches(self, stack):
        """How many texts there may be, by what the stack reads of the model's inputs."""
        sizes = set()
        for name, value in self._inputs.items():
            if not self._input_bits[name] & stack.calls[0].origins:
                continue
            if not torch.is_tensor(value) or value.dim() > 4:  # as of several pictures a text
                return set()
            sizes |= set(value.shape[:1])
            if value.dim() > 2 and not value.is_floating_point():
                sizes.add(value.shape[0] * value.shape[1])  # several choices a text
            is_batch_first = getattr(self._modules[stack.names[0]], "batch_first", True)
            if value.dim() == 3 and not is_batch_first:
                sizes.add(value.shape[1])
        return sizes

    def _places(self, n, origins, prefixes):
        """Of tokens or source: (how many rows, mask or None, input ids or None)."""
        def fitting(name, is_read=True):
            value = self._inputs.get(name)
            fits = torch.is_tensor(value) and value.dim() == 2 and value.shape[1] == n
            if not fits or (is_read and not self._input_bits[name] & origins):
                return None
            return value.detach().cpu().numpy()

        for prefix in prefixes:
            texts = [prefix + name for name in ("input_ids", "inputs_embeds")]
            is_read = any(self._input_bits.get(name, 0) & origins for name in texts)
            is_unknown = prefix == prefixes[0] and not any(
                name.endswith(("input_ids", "inputs_embeds")) for name in self._inputs
            )
            if is_read or is_unknown:
                ids = fitting(texts[0])
                is_of_ids = ids is not None and ids.dtype.kind in "iu"
                return n, fitting(prefix + "attention_mask", False), ids if is_of_ids else None
        return n, None, None

    def _add_text(self, stack, item, rows, columns):
        number = self.n_texts
        self.n_texts += 1
        is_own = self._tokens is None and set(stack.kinds) == {"self"}
        if is_own and self._add_picture(stack, item, number):
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
        for kind, layers in stack.kinds.items():
            read, looked_at = kept[kind]
            own = {"pattern": read, "q": read, "k": looked_at, "v": looked_at}
            attentions[kind] = {
                part: [
                    cut(layer, part, item, own[part], looked_at) for layer in layers
                ]
                for part in layers[0].parts
            }
        self._writer.add(tokens, attentions, source)

    def _add_picture(self, stack, item, number):
        """Whether the text is the patches of a picture."""
        layers = stack.kinds["self"]
        read = {name: value for name, value in self._inputs.items()
                if self._input_bits[name] & layers[0].origins}
        config = self._config_of(stack.names[0])
        found = self.pictures.find(config, read, item, number, layers[0].shape[3])
        if not found:
            return False
        picture, grid = found
        parts = {part: [layer.parts[part][item] for layer in layers] for part in layers[0].parts}
        self._writer.add_picture(picture, parts, grid)
        return True

    def _config_of(self, name):
        """The config of the nearest module around the named one that has one."""
        parts = name.split(".") if name else []
        for n in range(len(parts), -1, -1):
            config = getattr(self._modules.get(".".join(parts[:n])), "config", None)
            if config is not None:
                return config
        return None

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

    def why_nothing(self):
        """What to do where no attention came by."""
        if not self._n_passes:
            return (
                "the model was not called within the block. Where only a part of it is called, "
                "capture(model.part, …) records that"
            )
        taking = next((name for name, module in self._modules.items()
                       if takes(module, "output_attentions")), None)
        was_asked = bool(self._inputs.get("output_attentions"))
        if taking is not None and not was_asked:
            what = "the model" if taking == "" else f"model.{taking}"
            return f"{what} makes no weights unless it is called with output_attentions=True"
        fused = [value for _, value in implementations(self._model) if value not in (None, "eager")]
        if fused:
            return (
                f"the model computes {fused[0]!r} attention, which makes no weights, and cannot be "
                "switched; load it with attn_implementation='eager'"
            )
        return (
            "a module that is neither of transformers nor nn.MultiheadAttention is recorded if the "
            "name of its class has Attention in it and it returns its weights beside its output"
        )


class Pictures:
    """What a model reads that cuts pictures into patches."""

    def __init__(self, pictures=None, processor=None, grid=None):
        self._pictures = None if pictures is None else list(pictures)
        self._processor, self._grid = processor, grid

    def find(self, config, inputs, item, number, n):
        """(picture, grid) of a text of n tokens; None if it is of no picture.

        config: of the layers. inputs: what they read; beside words it is not known where patches are.
        """
        pixels = inputs.get("pixel_values")
        is_given = torch.is_tensor(pixels) and pixels.dim() == 4 and item < len(pixels)
        grid = self._grid
        if grid is None and is_given and "input_ids" not in inputs:
            grid = grid_of(config, pixels)
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


def has_shares(pattern):
    """Whether each row sums to 1, or to 0 where it is masked."""
    sums = pattern.detach().float().sum(dim=-1)
    return bool(((sums - 1).abs() < 0.02).logical_or(sums == 0).all())


def scope_of(module):
    """The names of the file that a module's class is of."""
    return vars(sys.modules.get(type(module).__module__, sys))


def can_switch(module):
    """Whether a model of transformers can be told how to compute attention once it is made."""
    if not hasattr(module, "set_attn_implementation"):
        return False
    can = getattr(module, "_can_set_attn_implementation", None)
    return can is None or can()


def takes(module, name):
    """Whether a module can be called with an argument of this name."""
    try:
        return name in inspect.signature(module.forward).parameters
    except (TypeError, ValueError):  # not a function of Python
        return False


def implementations(model):
    """(config, how it says that attention is computed) of all of the model's configs."""
    found = {}

    def add(config):
        if config is None or id(config) in found or not hasattr(config, "_attn_implementation"):
            return
        found[id(config)] = config, config._attn_implementation
        for name in getattr(config, "sub_configs", None) or ():
            add(getattr(config, name, None))

    for module in model.modules():
        add(getattr(module, "config", None))
    return list(found.values())


def restore_implementations(before):
    """Each config has its own again: to set one sets those within it as well, which come later."""
    for config, implementation in before:
        if config._attn_implementation != implementation:
            config._attn_implementation = implementation


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
