// The bar over two studies that are compared: their names, their form, and their distance.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app_state/comparison_run.h"
#include "ui/dialogs/dialog.h"
#include "ui/panel.h"

namespace headlight {

class ComparisonChooser {
  public:
    /// Opens in the next frame.
    void open(std::vector<ComparisonChoice> choices, std::vector<ComparedText> texts);
    void close() { dialog_.close(); }
    bool is_open() const { return dialog_.is_open(); }

    enum class Answer { None, Compare, File };
    /// Called once a frame. The answer is Compare: with `chosen()`; or File: with a study that is
    /// asked for.
    Answer draw(PanelContext& context);
    const Other& chosen() const { return chosen_; }

  private:
    using Kind = ComparisonChoice::Kind;

    void draw_own(PanelContext& context);
    void draw_text(PanelContext& context, ComparedText& text);
    void draw_others(PanelContext& context);
    bool has(Kind kind) const;
    void draw_rows(PanelContext& context, Kind kind);
    void draw_heads(PanelContext& context);
    void draw_row(PanelContext& context, std::size_t choice);
    void choose(Other other) { chosen_ = std::move(other), answer_ = Answer::Compare; }

    std::vector<ComparisonChoice> choices_;
    std::vector<ComparedText> texts_;                           // as they are typed
    std::map<std::pair<std::string, int>, std::size_t> heads_;  // choices by attention and head
    Other chosen_;
    Answer answer_ = Answer::None;
    Dialog dialog_;
    bool on_own_input_ = true;  // other studies' settings for what A is about, or as they are
};

/// Draws into the current window from its cursor on, and moves the cursor below.
void draw_comparison_bar(PanelContext& context);

/// Returns an edit that holds the chosen tensor of A at B's values. Throws Error if B has none.
Edit patch_from_b(const Comparison& comparison, const std::string& path);

}  // namespace headlight
