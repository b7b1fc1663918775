// The view in the middle of the window.
#pragma once

namespace headlight {

/// The open part, or a view of its own.
enum class MiddleView { Component, AllHeads, Words, Readout };

/// The names of the view of all heads, of the lines between words and of the logits, where
/// components are named.
inline constexpr const char *kAllHeads = "heads", *kWordLines = "words", *kReadout = "logits";

}  // namespace headlight
