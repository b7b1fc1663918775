#include "model/document.h"

#include <cmath>

#include "core/error.h"
#include "graph/built_in_graphs.h"

namespace headlight {
namespace {

struct Rgb {
    float red, green, blue;
};

Rgb mix(const Rgb& a, const Rgb& b, float t) {
    return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
            a.blue + t * (b.blue - a.blue)};
}

/// Returns a sky that pales towards the horizon, a soft sun in it, and a field that darkens towards
/// us.
Rgb landscape(int row, int column) {
    constexpr Rgb kSky{0.25f, 0.5f, 0.9f}, kHorizon{0.75f, 0.85f, 1}, kSun{1, 0.85f, 0.2f},
        kField{0.45f, 0.7f, 0.25f}, kNearField{0.15f, 0.4f, 0.1f};
    constexpr int kFirstFieldRow = 3;
    constexpr float kSunRow = 0.8f, kSunColumn = 6.6f, kSunRadius = 1.1f;
    const auto y = static_cast<float>(row), x = static_cast<float>(column);
    if (row >= kFirstFieldRow) return mix(kField, kNearField, y - kFirstFieldRow);
    const float distance = std::hypot(y - kSunRow, x - kSunColumn) / kSunRadius;
    return mix(mix(kSky, kHorizon, y / 2), kSun, std::exp(-std::pow(distance, 4.0f)));
}

}  // namespace

bool RecordedStudy::operator==(const RecordedStudy& other) const {
    const bool is_same_study =
        joined == other.joined || (joined && other.joined && *joined == *other.joined);
    return is_same_study && file == other.file && text == other.text &&
           text_number == other.text_number && attentions == other.attentions &&
           graph == other.graph;
}

Graph* Document::drawn_graph() {
    if (GraphStudy* study = graph()) return &study->graph;
    RecordedStudy* study = recorded();
    return study && !study->graph.nodes.empty() ? &study->graph : nullptr;
}

const Graph* Document::drawn_graph() const {
    return const_cast<Document*>(this)->drawn_graph();
}

std::span<const float> ImageStudy::values() const {
    if (!picture) return pixels;
    if (!picture->pixels)
        throw Error(picture->file,
                    "is not open: it was missing or had changed; open the study anew");
    return *picture->pixels;
}

Document built_in_sentence() {
    // These random weights are chosen so that “it” does not happen to read the cat, the street or
    // “tired”: nobody should take chance for meaning.
    constexpr std::uint64_t kPlainSeed = 92;
    Document document;
    document.seed = kPlainSeed;
    document.study =
        SentenceStudy{.text = "The cat didn't cross the street because it was too tired.",
                      .layer = {},
                      .decoding = Switch::Off};
    return document;
}

Document built_in_alignment() {
    AlignmentStudy study;
    study.source = "The agreement on the European Economic Area was signed in August 1992";
    study.target = "L'accord sur la zone économique européenne a été signé en août 1992";
    Document document;
    document.study = std::move(study);
    return document;
}

Document built_in_graph() {
    Document document;
    document.study = GraphStudy{.graph = karate_club(), .layer = {}, .self_loops = Switch::On};
    return document;
}

Document built_in_image() {
    ImageStudy study{.rows = 5, .columns = 10, .channels = 3, .pixels = {}, .layer = {}};
    for (int row = 0; row < study.rows; ++row)
        for (int column = 0; column < study.columns; ++column) {
            // Files write the rounded numbers in a few digits.
            const Rgb pixel = landscape(row, column);
            for (const float channel : {pixel.red, pixel.green, pixel.blue})
                study.pixels.push_back(std::round(channel * 100) / 100);
        }
    study.layer.stack.attention.temperature = 0.15f;  // pixels are much alike
    Document document;
    document.study = std::move(study);
    return document;
}

}  // namespace headlight
