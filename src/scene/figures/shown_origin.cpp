#include "scene/figures/shown_origin.h"

#include <fmt/format.h>

#include "io/studies/ready_studies.h"
#include "model/weight_origin.h"
#include "paint/figures/heatmap_layout.h"
#include "paint/labels.h"
#include "scene/readout/readout_words.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr float kOriginType = 9, kOriginLine = 16;

}  // namespace

std::string study_origin(const Document& document, const Plan& plan, ByHand by_hand) {
    std::string origin = weight_origin(document, plan);
    const std::vector<std::string> beyond = training_notes(document);
    const std::size_t n_set = matrices_set_by_hand(document, plan).size();
    // The accuracy was measured on another network, or on other questions.
    if (!beyond.empty() || n_set > 0) origin = without_accuracy(origin);
    for (const std::string& note : beyond) append_part(origin, "; ", note);
    if (n_set > 0 && by_hand == ByHand::Said) append_part(origin, "; ", set_by_hand_text(n_set));
    return origin;
}

std::string shown_origin(const Scene& scene, const Tensor& tensor, ByHand by_hand) {
    std::string origin = study_origin(scene.document, scene.trace, by_hand);
    const std::string note = asked_row_note(scene.trace, scene.components, tensor);
    if (!note.empty()) append_part(origin, "; ", note);
    return origin;
}

namespace {

/// Returns `a`, and the origin of B's weights where they are others.
std::string with_other_origin(const Scene& scene, const std::string& a) {
    const Comparison* compared = scene.comparison;
    if (!compared || !compared->is_on() || !compared->document() || !compared->trace()) return a;
    const std::string b = study_origin(*compared->document(), *compared->trace());
    if (study_origin(scene.document, scene.trace) == b) return a;
    return fmt::format("{}: {}  ·  {}: {}", compared->name_a(), a, compared->name_b(), b);
}

}  // namespace

std::string shown_origin(const Scene& scene, ByHand by_hand) {
    return with_other_origin(scene,
                             shown_origin(scene, scene.trace.at(scene.selection.chosen), by_hand));
}

std::string whole_origin(const Scene& scene) {
    return with_other_origin(scene, study_origin(scene.document, scene.trace));
}

std::string origin_in_line(std::string origin, float size, float width,
                           const MeasureText& measure) {
    while (measure(origin, size, Font::Regular) > width) {
        std::string shorter = without_accuracy(origin);
        if (shorter == origin) break;
        origin = std::move(shorter);
    }
    return origin;
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
