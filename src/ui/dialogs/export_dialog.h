// The export dialog: what is exported, how, and where to, with a preview.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "scene/export/export_work.h"
#include "ui/dialogs/export_file.h"
#include "ui/panel.h"

namespace headlight {

/// The dialog's knowledge of the rest of the window.
struct ExportState {
    std::string animated;                // the motion of the number that is animated; "": none is
    const Progress* progress = nullptr;  // of the running export; null if there is none
};

class ExportDialog {
  public:
    enum class Answer { None, Export, Copy, Browse, Stop };

    /// Opens in the next frame. The choice's file becomes a name like `wanted` that no file has.
    void open(ExportChoice& choice, const std::filesystem::path& wanted);
    /// Opens again, with a file that the user has chosen elsewhere.
    void open_with(ExportChoice& choice, const std::filesystem::path& chosen);
    void close() { is_open_ = false; }
    bool is_open() const { return is_open_; }
    void show_problem(const std::string& problem) { problem_ = problem; }

    /// Once a frame while it is open; changes the choice.
    Answer draw(PanelContext& context, const Scene& scene, ExportChoice& choice,
                const ExportState& state);

  private:
    /// The inputs that the preview was made from; it is made anew only when they change.
    struct Preview {
        std::shared_ptr<const Trace> trace;
        const Scalar* swept = nullptr;  // the numbers of the sweep
        std::string of;                 // the choice in words
        ViewFigure view;
        FigureSheet sheet;
        std::string problem, text;
    };

    void draw_form(PanelContext& context, const Scene& scene, const ExportState& state,
                   ExportChoice& choice);
    void draw_lengths(PanelContext& context, FigureLook& look);
    /// Nothing is exported in another size than the one that is written there.
    bool are_lengths_read(const ExportChoice& choice) const;
    void draw_look(PanelContext& context, FigureLook& look);
    Answer draw_foot(PanelContext& context, const Scene& scene, ExportChoice& choice,
                     const Progress* progress);
    /// `existing`: a file that would be overwritten.
    Answer draw_buttons(PanelContext& context, const ExportChoice& choice,
                        const std::optional<std::filesystem::path>& existing,
                        const Progress* progress);
    bool takes_name(ExportChoice& choice, Answer answer);
    void draw_note(PanelContext& context, const Progress* progress);
    void update_preview(const Scene& scene, const ExportChoice& choice);
    void draw_preview(PanelContext& context, const ExportChoice& choice, Point size);

    Preview preview_;
    ExportFile file_;
    std::string matrices_text_, width_text_, type_text_, problem_;
    bool is_open_ = false, must_open_ = false;
};

}  // namespace headlight
