#include "scene/figures/shown_origin.h"

#include <algorithm>

#include "model/weight_origin.h"
#include "paint/figures/heatmap_layout.h"
#include "paint/labels.h"
#include "scene/asked_word.h"

namespace headlight {
namespace {

constexpr float kOriginType = 9, kOriginLine = 16;

/// "2 matrices are set by hand"
std::string set_by_hand_text(const Document& document) {
    const auto n = std::ranges::count_if(document.interventions,
                                         [](const auto& entry) { return entry.second.is_on; });
    if (n == 0) return "";
    return n == 1 ? "1 matrix is set by hand" : std::to_string(n) + " matrices are set by hand";
}

}  // namespace

std::string shown_origin(const Scene& scene, const Tensor& tensor, ByHand by_hand) {
    std::string origin = weight_origin(scene.document, scene.trace);
    const bool is_said_already =
        origin.starts_with("weights set by hand") || origin == "set by hand";
    const bool says_set = by_hand == ByHand::Said && !is_said_already;
    const std::string set = says_set ? set_by_hand_text(scene.document) : "";
    if (!set.empty()) origin += (origin.empty() ? "" : "; ") + set;
    const std::string note = asked_row_note(scene.trace, scene.components, tensor);
    if (!note.empty()) origin += (origin.empty() ? "" : "; ") + note;
    return origin;
}

std::string shown_origin(const Scene& scene, ByHand by_hand) {
    const std::string a = shown_origin(scene, scene.trace.at(scene.selection.chosen), by_hand);
    const Comparison* compared = scene.comparison;
    if (!compared || !compared->is_on() || !compared->document() || !compared->trace()) return a;
    const std::string b = weight_origin(*compared->document(), *compared->trace());
    if (weight_origin(scene.document, scene.trace) == b) return a;
    return compared->name_a() + ": " + a + "  ·  " + compared->name_b() + ": " + b;
}

std::vector<std::string> origin_lines(const std::string& origin, float width,
                                      const MeasureText& measure) {
    constexpr std::size_t kMostLines = 3;
    const float room = width - 2 * kFigurePad;
    if (measure(origin, kOriginType, Font::Regular) <= room) return {origin};
    std::vector<std::string> lines = wrapped_lines({{}, origin, kOriginType}, room, measure);
    while (lines.size() > kMostLines) {
        const std::string last = std::move(lines.back());
        lines.pop_back();
        if (lines.size() == kMostLines) lines.back() += " " + last;
    }
    return lines;
}

float origin_height(std::size_t n_lines) {
    return kOriginLine * static_cast<float>(n_lines);
}

void add_origin(Figure& figure, const std::string& origin, const Theme& theme,
                const MeasureText& measure) {
    constexpr float kBelow = 6;
    for (const std::string& text : origin_lines(origin, figure.width, measure)) {
        figure.height += kOriginLine;
        TextMark line{{kFigurePad, figure.height - kBelow}, text, kOriginType, theme.muted};
        shorten(line, figure.width - 2 * kFigurePad, measure);
        figure.add(line);
    }
}

}  // namespace headlight
