// The origin of the shown tensors' weights, in words.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace headlight {

/// Said: the text names how many matrices are set by hand.
enum class ByHand { Said, LeftOut };

/// Returns weight_origin of the study, and what is set by hand. The plan is the document's.
std::string study_origin(const Document& document, const Plan& plan, ByHand by_hand = ByHand::Said);
/// Returns study_origin, and asked_row_note of the tensor.
std::string shown_origin(const Scene& scene, const Tensor& tensor, ByHand by_hand = ByHand::Said);
/// Describes the origin of the chosen tensor, and that of the study that it is compared with where
/// its weights are others.
std::string shown_origin(const Scene& scene, ByHand by_hand = ByHand::Said);
/// Describes only the origin of the study and of B, for pictures of no one tensor.
std::string whole_origin(const Scene& scene);

/// Shortens the origin to one line: where it is wider, the share of right answers gives way first,
/// so that what is said of the picture itself stays. It may still be too wide.
std::string origin_in_line(std::string origin, float size, float width, const MeasureText& measure);

/// Breaks the origin into lines that a figure of that width has room for, at most three; the rest
/// is cut.
std::vector<std::string> origin_lines(const std::string& origin, float width,
                                      const MeasureText& measure);
/// Returns the height that so many lines add to a figure.
float origin_height(std::size_t n_lines);
void add_origin(Figure& figure, const std::string& origin, const Theme& theme,
                const MeasureText& measure);

}  // namespace headlight
