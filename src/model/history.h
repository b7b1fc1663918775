// History: the documents that were, each with the name of the change that made the next one.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/document.h"

namespace headlight {

/// A named change of the document.
struct Edit {
    std::string label;                      // "Set W_Q[3, 2] to 0.7"
    std::function<void(Document&)> change;  // may throw Error: then nothing has happened
    std::string gesture = {};               // edits of one gesture (a drag, typing) are one step
};

class History {
  public:
    explicit History(Document document) : document_(std::move(document)) {}

    const Document& document() const { return document_; }

    /// Applies the edit; false if it changes nothing: then there is no step. A gesture that leads
    /// back to where it began leaves none either. Throws what the change throws.
    bool apply(const Edit& edit);

    /// The next edit starts a new step even if its gesture is the last one's: the mouse was
    /// released.
    void end_gesture() { gesture_.clear(); }

    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }
    /// The document before the last step; null if there is none.
    const Document* previous() const { return undo_.empty() ? nullptr : &undo_.back().document; }
    std::string undo_label() const { return undo_.empty() ? "" : undo_.back().label; }
    std::string redo_label() const { return redo_.empty() ? "" : redo_.back().label; }
    void undo();
    void redo();

  private:
    struct Step {
        std::string label;
        Document document;  // before the change (undo), after it (redo)
    };

    Document document_;
    std::vector<Step> undo_, redo_;
    std::string gesture_;
};

/// Edits that a panel asks for while it draws; the frame applies them afterwards.
class Edits {
  public:
    void push(std::string label, std::function<void(Document&)> change, std::string gesture = {}) {
        edits_.push_back({std::move(label), std::move(change), std::move(gesture)});
    }
    /// The gesture is over: the next edit starts a new step.
    void end_gesture() { ends_gesture_ = true; }

    bool is_empty() const { return edits_.empty(); }
    std::vector<Edit> take() { return std::exchange(edits_, {}); }
    bool take_end_of_gesture() { return std::exchange(ends_gesture_, false); }

  private:
    std::vector<Edit> edits_;
    bool ends_gesture_ = false;
};

}  // namespace headlight
