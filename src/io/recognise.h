// Files that are something else than their name says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

/// The number of bytes at the start of a file that suffice to recognise it.
inline constexpr std::size_t kRecognisedBytes = 64;

/// The message about pickles: what they are, and what to save instead.
inline constexpr const char* kPickle =
    "a Python pickle (a PyTorch checkpoint, say), which can run code when it is read; save its "
    "tensors: from safetensors.torch import save_file; save_file({k: v.contiguous() for k, v in "
    "torch.load(FILE, weights_only=True).items()}, \"weights.safetensors\")";

/// "; this is a zip archive", to end a message with; "" if the first bytes say nothing.
std::string recognised_as(std::string_view bytes);

}  // namespace headlight
