"""Tells the stacks of attention apart that a model runs in one pass.

A stack is what one recording holds: layers of self-attention, each computed from the one before it;
or the layers of a decoder, which reads another text as well, with the layers that encoded that text.
A vision-language model runs two stacks, and so does a model of two encoders. Names of modules say
which calls may belong together; whether they do is said by what each was computed from.
"""

import contextlib
import re

import torch
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakIdKeyDictionary

from .errors import CaptureError

CROSS_NAMES = ("cross", "encdec", "encoder_attn", "encoder_decoder")
KINDS = ("self", "cross", "source")


class Call:
    """One call of an attention: the shape of its pattern, and arrays [batch, heads, rows, columns].

    origins, key_origins: of its queries and of its keys. bit: what is computed from it has this among
    its origins. sums_to_one: whether the rows of the pattern are known as shares.
    """

    def __init__(self, name, is_cross, shape, origins, key_origins):
        self.name, self.is_cross, self.shape = name, is_cross, tuple(shape)
        self.origins, self.key_origins, self.bit = origins, key_origins, 0
        self.parts, self.sums_to_one, self.n_heads = {}, True, shape[1]

    def size_text(self):
        return f"{self.shape[2]} × {self.shape[3]}"


class Origins(TorchFunctionMode):
    """Knows of each tensor what it was computed from: inputs and calls, as bits of a number."""

    def __init__(self):
        super().__init__()
        self._of = WeakIdKeyDictionary()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        output = function(*args, **(kwargs or {}))
        name = getattr(function, "__name__", "")
        takes_shape_alone = name.endswith("_like") or name.startswith("new_")
        if len(self._of) and not takes_shape_alone:
            origins = self.of((args, kwargs))
            if origins:
                # Where nothing is returned, the first argument was written to: x[i] = y.
                self.add(args[:1] if output is None else output, origins)
        return output

    def of(self, value):
        origins = 0
        for tensor in tensors_in(value):
            origins |= self._of.get(tensor, 0)
            base = tensor._base
            if base is not None:
                origins |= self._of.get(base, 0)
        return origins

    def add(self, value, origins):
        for tensor in tensors_in(value):
            self._of[tensor] = self._of.get(tensor, 0) | origins

    def clear(self):
        self._of.clear()


def tensors_in(value):
    """The tensors of a value, of a list or of a dictionary, at any depth."""
    if torch.is_tensor(value):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors_in(item)


@contextlib.contextmanager
def tracking(origins):
    """Within the block origins are known; compiled code, which tells nothing of itself, is not run."""
    with contextlib.ExitStack() as stack:
        if hasattr(getattr(torch, "compiler", None), "set_stance"):
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        stack.enter_context(origins)
        yield


class Stack:
    """The calls of one recording by kind, layer by layer."""

    def __init__(self, kinds):
        self.kinds = kinds
        self.calls = [call for kind in (*KINDS, "edges") for call in kinds.get(kind, ())]
        self.names = list(dict.fromkeys(call.name for call in self.calls))

    def __str__(self):
        return "; ".join(
            f"{shared_name(calls)}: {counted(len(calls), 'layer')} of {heads_of(calls)}, "
            f"{calls[0].size_text()}"
            for calls in self.kinds.values()
        )


def heads_of(calls):
    counts = list(dict.fromkeys(call.n_heads for call in calls))
    if len(counts) > 1:
        return " or ".join(map(str, counts)) + " heads"
    return counted(counts[0], "head")


def counted(n, thing):
    return f"1 {thing}" if n == 1 else f"{n} {thing}s"


def shared_name(calls):
    """The name of the modules, with * where they differ."""
    names = list(dict.fromkeys(call.name for call in calls))
    split = [name.split(".") for name in names]
    if len({len(parts) for parts in split}) > 1:
        return ", ".join(names)
    shared = [parts[0] if len(set(parts)) == 1 else "*" for parts in zip(*split)]
    return ".".join(shared) or "the model"


def network(name):
    """The path of what holds the layers: up to the number of a layer, else up to the parent."""
    parts = name.split(".")
    for place, part in enumerate(parts):
        if part.isdigit():
            return tuple(parts[:place])
    for place, part in enumerate(parts[:-1]):
        if part[-1:].isdigit():
            return (*parts[:place], part.rstrip("0123456789"))
    return tuple(parts[:-1])


def is_named_cross(module, name, pattern):
    """Whether a module is named as one whose queries and keys are of different texts."""
    if getattr(module, "is_cross_attention", False):
        return True
    parts = name.lower().split(".")
    is_square = pattern.shape[-2] == pattern.shape[-1]
    words = [type(module).__name__.lower(), *(parts[-2:] if is_square else parts)]
    return any(cross in word for cross in CROSS_NAMES for word in words)


def chains(calls):
    """Lists of calls of one network, kind and shape, each computed from the one before it."""
    found = []
    for call in calls:
        key = (network(call.name), call.is_cross, call.shape)
        open_ones = [chain for own, chain in found if own == key and chain[-1].bit & call.origins]
        alike = [chain for chain in open_ones if same_place(chain[-1].name, call.name)]
        if open_ones:
            (alike or open_ones)[0].append(call)
        else:
            found.append((key, [call]))
    return [chain for _, chain in found]


def same_place(name, other):
    """Whether names differ only in their numbers."""
    return re.sub(r"\d+", "", name) == re.sub(r"\d+", "", other)


def stacks_of(calls):
    """The stacks of the calls of a pass: decoders with their encoders, and what is left."""
    all_chains = chains(calls)
    own = [chain for chain in all_chains if not chain[0].is_cross]
    stacks, taken = [], []
    for cross in all_chains:
        if not cross[0].is_cross:
            continue
        decoder = next((chain for chain in own
                        if chain not in taken and is_decoder(chain, cross)), None)
        encoder = next((chain for chain in reversed(own)
                        if chain is not decoder and is_encoder(chain, cross)), None)
        kinds = {"source": encoder, "self": decoder, "cross": cross}
        stacks.append(Stack({kind: chain for kind, chain in kinds.items() if chain}))
        taken += [chain for chain in (decoder, encoder) if chain]
    stacks += [Stack({"self": chain}) for chain in own if chain not in taken]
    order = {id(call): place for place, call in enumerate(calls)}
    return sorted(stacks, key=lambda stack: min(order[id(call)] for call in stack.calls))


def is_decoder(chain, cross):
    """Whether layers of self-attention and of cross-attention take turns in one network."""
    batch, _, rows, _ = cross[0].shape
    takes_turns = chain[0].bit & cross[-1].origins or cross[0].bit & chain[-1].origins
    return bool(takes_turns) and (
        network(chain[0].name) == network(cross[0].name)
        and (chain[0].shape[0], chain[0].shape[3]) == (batch, rows)
    )


def is_encoder(chain, cross):
    """Whether cross-attention reads what layers of self-attention have made."""
    batch, _, _, columns = cross[0].shape
    return bool(chain[-1].bit & cross[0].key_origins) and (
        (chain[0].shape[0], chain[0].shape[2]) == (batch, columns)
        and chain[0].shape[2] == chain[0].shape[3]
    )


def matches(choice, name):
    """Whether the dotted choice, in which * stands for any part, stands within the dotted name."""
    wanted, parts = choice.split("."), name.split(".")
    starts = range(len(parts) - len(wanted) + 1)
    return any(
        all(want in ("*", part) for want, part in zip(wanted, parts[start:])) for start in starts
    )


def choice_of(stack, calls):
    """The shortest `stack=` that chooses the stack among the calls: a text or a tuple of texts."""

    def choosing(chain):
        names = {call.name for call in chain}
        parts = chain[0].name.split(".")
        runs = [parts[start : start + length] for length in range(1, len(parts) + 1)
                for start in range(len(parts) - length + 1)]
        runs.append(shared_name(chain).split("."))
        named = [".".join(run) for run in runs
                 if not all(part.isdigit() or part == "*" for part in run)]
        for choice in named:
            if {call.name for call in calls if matches(choice, call.name)} == names:
                return [choice]
        return sorted(names)

    whole = choosing(stack.calls)
    if len(whole) > 1:
        whole = [choice for chain in stack.kinds.values() for choice in choosing(chain)]
    return whole[0] if len(whole) == 1 else tuple(whole)


def is_chosen(choice, name):
    """Whether the `stack=` of capture names a module; None names all."""
    return choice is None or any(matches(each, name) for each in choices_in(choice))


def is_asserted(choice):
    """Whether a `stack=` says of what it names that it is one stack, as a list does."""
    return choice is not None and not isinstance(choice, str)


def choices_in(choice):
    return (choice,) if isinstance(choice, str) else tuple(choice or ())


def chosen_stack(calls, choice, obstacle, find=stacks_of):
    """The one stack of a pass, or the one that the `stack=` of capture names.

    choice: a part of the names of modules; or a list of them, whose calls are together one stack.
    obstacle(stack, stacks): why one of these stacks cannot be recorded, or None.
    find(calls): the stacks of calls. Raises CaptureError.
    """
    wanted = [call for call in calls if is_chosen(choice, call.name)]
    if not wanted:
        raise CaptureError(f"stack={choice!r} names no module whose attention came by"
                           + choices_among(find(calls), calls, obstacle))
    stacks = find(wanted)
    if len(stacks) > 1 and is_asserted(choice):
        stacks = joined_as_asked(stacks)
    if len(stacks) > 1:
        runs = f"stack={choice!r} names" if choice is not None else "a pass through the model runs"
        raise CaptureError(f"{runs} {len(stacks)} stacks of attention, but a recording holds one"
                           + choices_among(find(wanted), calls, obstacle))
    problem = obstacle(stacks[0], stacks)
    if problem:
        raise CaptureError(problem)
    return stacks[0]


def joined_as_asked(stacks):
    """Stacks of one kind and shape that a list names are layers of one network."""
    shapes = {(tuple(stack.kinds), stack.calls[0].shape) for stack in stacks}
    names = [name for stack in stacks for name in stack.names]
    if len(shapes) > 1 or len(stacks[0].kinds) > 1 or len(set(names)) < len(names):
        return stacks
    kind = next(iter(stacks[0].kinds))
    return [Stack({kind: [call for stack in stacks for call in stack.calls]})]


def choices_among(stacks, calls, obstacle):
    """The end of a message: what can be chosen, and what cannot be recorded and why."""
    problems = [obstacle(stack, stacks) for stack in stacks]
    choices = [f"stack={choice_of(stack, calls)!r} ({stack})"
               for stack, problem in zip(stacks, problems) if not problem]
    said = ": choose " + " or ".join(choices) if choices else ""
    return ". ".join([said, *dict.fromkeys(problem for problem in problems if problem)])
