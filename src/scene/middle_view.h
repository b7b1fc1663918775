// What stands in the middle of the window.
#pragma once

namespace headlight {

/// The open part, or a view of its own.
enum class MiddleView { Component, AllHeads, Words };

/// What all heads together are called where parts are named, and the lines between the words.
inline constexpr const char *kAllHeads = "heads", *kWordLines = "words";

}  // namespace headlight
