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

History::History(Document document, std::size_t max_bytes) : max_bytes_(max_bytes) {
    put(0, {"", std::make_shared<const Document>(std::move(document))});
}

History::History(const std::deque<HistoryStep>& steps, std::size_t at) : at_(at) {
    for (const HistoryStep& step : steps) put(steps_.size(), {step.label, step.document});
    drop_oldest();
}

bool History::apply(const Edit& edit) {
    Document next = document();
    edit.change(next);
    if (next == document()) return false;
    const bool continues = !edit.gesture.empty() && edit.gesture == gesture_ && can_undo();
    const bool leads_back = continues && next == *previous();
    std::string gesture = leads_back ? "" : edit.gesture;
    if (leads_back)
        cut(at_);
    else
        put(continues ? at_ : at_ + 1,
            {edit.label, std::make_shared<const Document>(std::move(next))});
    at_ = steps_.size() - 1;
    gesture_ = std::move(gesture);
    drop_oldest();
    return true;
}

bool History::amend(const std::function<void(Document&)>& change) {
    Document next = document();
    change(next);
    if (next == document()) return false;
    steps_[at_].document = std::make_shared<const Document>(std::move(next));
    if (at_ > 0) count_step(at_ - 1);
    if (can_redo()) count_step(at_);
    drop_oldest();
    return true;
}

void History::undo() {
    if (!can_undo()) return;
    end_gesture();
    --at_;
}

void History::redo() {
    if (!can_redo()) return;
    end_gesture();
    ++at_;
}

/// Puts a step last and forgets the steps after it. If memory runs out, nothing has changed.
void History::put(std::size_t place, HistoryStep step) {
    if (place == steps_.size()) steps_.emplace_back();
    cut(place + 1);
    steps_[place] = std::move(step);
    if (place > 0) count_step(place - 1);
}

/// Counts the bytes that only this step holds. It is not the last step.
void History::count_step(std::size_t place) {
    HistoryStep& step = steps_[place];
    bytes_ -= step.own_bytes;
    step.own_bytes = count_bytes(*step.document, steps_[place + 1].document.get());
    bytes_ += step.own_bytes;
}

void History::cut(std::size_t n_steps) {
    while (steps_.size() > n_steps) {
        bytes_ -= steps_.back().own_bytes;
        steps_.pop_back();
    }
    bytes_ -= std::exchange(steps_.back().own_bytes, 0);
}

void History::drop_oldest() {
    const Document& last = *steps_.back().document;
    const std::size_t newest = count_bytes(last, nullptr) - count_bytes(last.weights, nullptr);
    while (at_ > 0 && bytes_ + newest > max_bytes_) {
        bytes_ -= steps_.front().own_bytes;
        steps_.pop_front();
        --at_;
    }
}

}  // namespace headlight
