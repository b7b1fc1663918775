// Where the shown tensors' weights come from, in words.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace headlight {

/// How many matrices are set by hand.
enum class ByHand { Said, LeftOut };

/// weight_origin of the study, and what is set by hand. The plan is the document's.
std::string study_origin(const Document& document, const Plan& plan, ByHand by_hand = ByHand::Said);
/// The same, and asked_row_note of the tensor.
std::string shown_origin(const Scene& scene, const Tensor& tensor, ByHand by_hand = ByHand::Said);
/// Of the chosen tensor, and of the study that it is compared with where its weights are others.
std::string shown_origin(const Scene& scene, ByHand by_hand = ByHand::Said);
/// The same of the study alone, for pictures of no one tensor.
std::string whole_origin(const Scene& scene);

/// The origin on one line: where it is wider, the share of right answers gives way first, so that
/// what is said of the picture itself stays. It may still be too wide.
std::string origin_in_line(std::string origin, float size, float width, const MeasureText& measure);

/// In lines that a figure of that width has room for, at most three; what is more is cut.
std::vector<std::string> origin_lines(const std::string& origin, float width,
                                      const MeasureText& measure);
/// How much higher a figure becomes that says it in so many lines.
float origin_height(std::size_t n_lines);
void add_origin(Figure& figure, const std::string& origin, const Theme& theme,
                const MeasureText& measure);

}  // namespace headlight
