// History: earlier documents, each with the name of the change that made it.
//
// Goals: the newest documents are kept, as many as fit a stated memory. Copying a history costs
// next to nothing, since documents are shared.
// Not goals: branches. An edit after undo discards what could be redone.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "model/changes.h"

namespace headlight {

/// The memory limit for the documents of a history, without the weights of the last one. The oldest
/// are dropped first. The open document stays, however large it is.
inline constexpr std::size_t kMaxHistoryBytes = std::size_t{256} << 20;

/// A document, and the name of the change that made it; the first one has none.
struct HistoryStep {
    std::string label;
    std::shared_ptr<const Document> document;
    std::size_t own_bytes = 0;  // of the document, without what the next step shares; last: 0
};

class History {
  public:
    explicit History(Document document, std::size_t max_bytes = kMaxHistoryBytes);
    /// Takes steps from elsewhere: at least one, and `at` is one of them.
    History(const std::deque<HistoryStep>& steps, std::size_t at);

    const Document& document() const { return *steps_[at_].document; }
    /// Returns the same document, with shared ownership.
    const std::shared_ptr<const Document>& shared_document() const { return steps_[at_].document; }

    /// Applies the edit. Returns false and adds no step if it changes nothing. A gesture that leads
    /// back to its beginning leaves no step either. Throws what the change throws.
    bool apply(const Edit& edit);

    /// Changes the open document without a step, for changes that are no edits of the user. The
    /// earlier document is not in the history any more. False if nothing changes.
    bool amend(const std::function<void(Document&)>& change);

    /// Makes the next edit start a new step even if its gesture is the last one's: the mouse was
    /// released.
    void end_gesture() { gesture_.clear(); }

    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < steps_.size(); }
    /// Returns the document before the last step; null if there is none.
    const Document* previous() const {
        return can_undo() ? steps_[at_ - 1].document.get() : nullptr;
    }
    std::string undo_label() const { return can_undo() ? steps_[at_].label : ""; }
    std::string redo_label() const { return can_redo() ? steps_[at_ + 1].label : ""; }
    void undo();
    void redo();

    /// Returns all steps, the oldest first; at() is the number of the open one.
    const std::deque<HistoryStep>& steps() const { return steps_; }
    std::size_t at() const { return at_; }

  private:
    void put(std::size_t place, HistoryStep step);
    void cut(std::size_t n_steps);
    void drop_oldest();
    void count_step(std::size_t place);

    std::size_t max_bytes_ = kMaxHistoryBytes;
    std::deque<HistoryStep> steps_;
    std::size_t bytes_ = 0;  // of all of them but the last
    std::size_t at_ = 0;
    std::string gesture_;
};

/// Returns the memory that a document takes beyond what it shares with another one (null: all of
/// it).
std::size_t count_bytes(const Document& document, const Document* other);

}  // namespace headlight
