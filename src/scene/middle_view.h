// The view in the middle of the window.
#pragma once

#include <optional>
#include <string_view>

namespace headlight {

/// The open part, or a view of its own.
enum class MiddleView { Component, AllHeads, Words, Readout, Panels, Plane };

/// The names of the views of all heads, of the lines between words, of the logits, of panels and of
/// vectors in the plane, where components are named.
inline constexpr const char *kAllHeads = "heads", *kWordLines = "words", *kReadout = "logits",
                            *kPanels = "panels", *kPlane = "plane";

struct NamedMiddle {
    MiddleView view;
    std::string_view name;
};
inline constexpr NamedMiddle kNamedMiddles[] = {{MiddleView::AllHeads, kAllHeads},
                                                {MiddleView::Words, kWordLines},
                                                {MiddleView::Readout, kReadout},
                                                {MiddleView::Panels, kPanels},
                                                {MiddleView::Plane, kPlane}};

/// The view of that name; nothing if there is none.
inline std::optional<MiddleView> middle_named(std::string_view name) {
    for (const NamedMiddle& middle : kNamedMiddles)
        if (middle.name == name) return middle.view;
    return std::nullopt;
}

}  // namespace headlight
