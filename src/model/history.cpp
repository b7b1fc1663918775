#include "model/history.h"

namespace headlight {

bool History::apply(const Edit& edit) {
    Document next = document_;
    edit.change(next);
    if (next == document_) return false;
    const bool continues = !edit.gesture.empty() && edit.gesture == gesture_ && !undo_.empty();
    const bool leads_back = continues && next == undo_.back().document;
    if (leads_back)
        undo_.pop_back();
    else if (continues)
        undo_.back().label = edit.label;
    else
        undo_.push_back({edit.label, document_});
    gesture_ = leads_back ? "" : edit.gesture;
    document_ = std::move(next);
    redo_.clear();
    return true;
}

void History::undo() {
    if (undo_.empty()) return;
    end_gesture();
    redo_.push_back(
        {undo_.back().label, std::exchange(document_, std::move(undo_.back().document))});
    undo_.pop_back();
}

void History::redo() {
    if (redo_.empty()) return;
    end_gesture();
    undo_.push_back(
        {redo_.back().label, std::exchange(document_, std::move(redo_.back().document))});
    redo_.pop_back();
}

}  // namespace headlight
