#include "model/history.h"

namespace headlight {
namespace {

/// The overhead of a map's node or of a shared block.
constexpr std::size_t kBlockBytes = 64;

std::size_t text_bytes(const std::string& text) {
    return text.capacity() > std::string().capacity() ? text.capacity() : 0;
}

struct StudyBytes {
    std::size_t operator()(const SentenceStudy& study) const { return text_bytes(study.text); }
    std::size_t operator()(const AlignmentStudy& study) const {
        return text_bytes(study.source) + text_bytes(study.target);
    }
    static std::size_t graph_bytes(const Graph& graph) {
        std::size_t bytes = graph.edges.capacity() * sizeof(Edge);
        for (const Node& node : graph.nodes)
            bytes += sizeof node + text_bytes(node.name) + text_bytes(node.word) +
                     text_bytes(node.drawn_as);
        return bytes;
    }
    std::size_t operator()(const GraphStudy& study) const { return graph_bytes(study.graph); }
    std::size_t operator()(const ImageStudy& study) const {
        return study.pixels.capacity() * sizeof(float);
    }
    std::size_t operator()(const RecordedStudy& study) const {
        std::size_t bytes = text_bytes(study.file) + graph_bytes(study.graph);
        for (const auto* tokens : {&study.text.tokens, &study.text.source})
            for (const std::string& token : *tokens) bytes += sizeof token + text_bytes(token);
        return bytes;
    }
};

bool is_shared(const std::string& path, const Intervention& intervention, const Document* other) {
    if (!other) return false;
    const auto it = other->interventions.find(path);
    return it != other->interventions.end() && it->second.cells.shares_with(intervention.cells);
}

}  // namespace

std::size_t count_bytes(const Document& document, const Document* other) {
    std::size_t bytes = kBlockBytes + sizeof document + std::visit(StudyBytes{}, document.study);
    for (const auto& [path, intervention] : document.interventions) {
        bytes += kBlockBytes + sizeof intervention + path.size();
        if (!is_shared(path, intervention, other))
            bytes += kBlockBytes + intervention.cells.size() * sizeof(CellValue);
    }
    return bytes + count_bytes(document.weights, other ? other->weights : nullptr);
}

std::size_t count_bytes(const std::string& text, const std::string*) {
    return kBlockBytes + sizeof text + text_bytes(text);
}

std::size_t count_free_bytes(const Document& document) {
    return count_bytes(document.weights, nullptr);
}

}  // namespace headlight
