// The palette: everything that has a name, found by typing some of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/dialogs/dialog.h"
#include "ui/panel.h"

namespace headlight {

inline constexpr const char* kNothingFound = "Nothing is called so.";

/// An entry that Find lists.
struct PaletteEntry {
    std::string name;  // "Undo", "blocks.0.attn.heads.2.pattern"
    std::string what;  // a few words, or the equation
    std::string kind;  // "command", "study", "setting", "part", "matrix"
    std::function<void()> run;
};

/// Returns the indices of the entries that have every word of `query`, whatever the case and the
/// punctuation, in their name, description or kind: first those of that name, then names that begin
/// with it, names with a word that does, names that have it or its words, then the others. Of equal
/// ones settings come first, else in the order given.
std::vector<std::size_t> find_entries(const std::vector<PaletteEntry>& entries,
                                      const std::string& query);

class Palette {
  public:
    bool is_open() const { return dialog_.is_open(); }
    void close();
    /// Opens in the next frame.
    void open(std::vector<PaletteEntry> entries);

    /// Called once a frame. Returns the chosen action; nothing if none was chosen.
    std::function<void()> draw(PanelContext& context);

  private:
    std::function<void()> draw_found(PanelContext& context);

    std::vector<PaletteEntry> entries_;
    std::vector<std::size_t> found_;
    std::string query_;
    std::size_t at_ = 0;  // index among those found
    Dialog dialog_;
    bool has_moved_ = false;
};

}  // namespace headlight
