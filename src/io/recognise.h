// Checks on bytes from outside: files that are something else than their name says are recognised,
// and texts must be UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

/// The number of bytes at the start of a file that suffice to recognise it.
inline constexpr std::size_t kRecognisedBytes = 64;

/// The message about a file of torch.save, with the lines of Python that save every tensor in it,
/// of whatever dicts, lists and tuples. FILE and OUTPUT stand for names.
inline constexpr const char* kTorchPickle =
    "a Python pickle of PyTorch (torch.save), which can run any program when it is read and is "
    "never opened. Convert it once, in Python:\n"
    "import torch, safetensors.torch\n"
    "parts = lambda x: x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, (list, "
    "tuple)) else ()\n"
    "tensors = lambda x, name: {name or 'tensor': x.detach().clone().contiguous()} if "
    "torch.is_tensor(x) else {k: v for key, part in parts(x) for k, v in tensors(part, "
    "f'{name}.{key}'.strip('.')).items()}\n"
    "safetensors.torch.save_file(tensors(torch.load('FILE', weights_only=True), ''), "
    "'OUTPUT.safetensors')\n"
    "If torch.load refuses, it holds more than tensors: save model.state_dict() or "
    "outputs.attentions where it was made";

/// The message about a file of the module pickle, which PyTorch does not read.
inline constexpr const char* kPickle =
    "a Python pickle, which can run any program when it is read and is never opened; save its "
    "arrays where it was made: numpy.savez('arrays.npz', attention=array)";

/// Returns kTorchPickle with these names, which Python is to read between single quotes.
std::string torch_pickle_text(std::string_view file, std::string_view output);

/// Returns "; this is a zip archive", to end a message with; "" if the first bytes say nothing.
std::string recognised_as(std::string_view bytes);

/// Throws Error, with `source` and the line, unless the bytes are UTF-8 without NUL.
void check_text(std::string_view bytes, const std::string& source);

/// "[source] line 3: what", for the byte at `offset`.
[[noreturn]] void fail_at_byte(std::string_view bytes, std::size_t offset,
                               const std::string& source, const std::string& what);

}  // namespace headlight
