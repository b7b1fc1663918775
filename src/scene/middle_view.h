// The view in the middle of the window.
#pragma once

namespace headlight {

/// The open part, or a view of its own.
enum class MiddleView { Component, AllHeads, Words };

/// The names of the view of all heads and of the lines between words, where components are named.
inline constexpr const char *kAllHeads = "heads", *kWordLines = "words";

}  // namespace headlight
