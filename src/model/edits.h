// Edits: named changes of a document, asked for while a frame is drawn and applied after it.
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

/// Edits that a panel asks for while it draws; the frame applies them afterwards.
class Edits {
  public:
    void push(Edit edit) { edits_.push_back(std::move(edit)); }
    void push(std::string label, std::function<void(Document&)> change, std::string gesture = {}) {
        push({std::move(label), std::move(change), std::move(gesture)});
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
