// Marks, for a moment, the rows of the shown heads' patterns that moved when the text was last
// changed.
//
// Goals: words typed letter by letter are one change; a longer or shorter text marks nothing.
// Not goals: drawing; figures, where nothing moves.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/components.h"
#include "core/trace.h"

namespace headlight {

/// A row has moved if one of its weights has changed by this much.
inline constexpr Scalar kMovedWeight = 0.1f;

class ChangedRows {
  public:
    /// Takes what the page has now of that attention's heads, before each frame. Null: there are no
    /// heads.
    void follow(const Trace& page, const Component* attention, double now_secs);

    /// Returns the marked rows of the matrix with that path.
    std::vector<Index> rows_of(const std::string& path) const;
    /// The strength of the marks falls from 1, right after the change, to 0.
    float strength() const { return strength_; }

  private:
    struct Patterns {
        std::vector<std::string> words;
        std::map<std::string, MatrixPtr> by_path;
    };

    void compare(const Patterns& now);

    Patterns before_;  // as they were before the change
    std::vector<std::string> last_words_;
    double changed_secs_ = 0;
    float strength_ = 0;
    std::map<std::string, std::vector<Index>> rows_;
};

}  // namespace headlight
