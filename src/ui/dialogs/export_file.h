// The destination of an export: a proposed name that no file has yet, or one that the user writes.
//
// Goals: a file that is there already is overwritten only by a user who was told so: by the word on
// the button, or by a second Enter.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "scene/figures/view_figure.h"
#include "ui/panel.h"

namespace headlight {

class ExportFile {
  public:
    enum class Answer { None, Export, Browse };

    /// Fills in a name like `wanted` that no file has.
    std::filesystem::path propose(const std::filesystem::path& wanted);
    /// Takes a file of which the user has said that it may be overwritten.
    void take(const std::filesystem::path& chosen);
    /// Returns the file with another ending; a proposed name stays one that no file has.
    std::filesystem::path with_ending(const std::filesystem::path& file, const std::string& ending);

    /// Draws the field, and the button for a folder.
    Answer draw(PanelContext& context);
    const std::string& text() const { return text_; }

    /// Called where Enter asks for the export. False, the first time, if `existing` would be
    /// overwritten.
    bool may_write(const std::optional<std::filesystem::path>& existing);
    /// True if Enter was pressed once more after `may_write` was false.
    bool is_confirmed() const;

  private:
    void fill(const std::filesystem::path& file);

    std::string text_;
    int filled_ = 0;  // counted: a field with a new number keeps no selection of the text before
    std::filesystem::path wanted_;     // the name after which the proposed one is made
    std::filesystem::path proposed_;   // the name that was proposed
    std::filesystem::path confirmed_;  // the text of the field that the user was asked about
};

/// Draws the figure as large as `size` allows, and under it its size in millimetres and pixels.
void draw_export_preview(PanelContext& context, const ViewFigure& view, const FigureSheet& sheet,
                         Point size);

}  // namespace headlight
