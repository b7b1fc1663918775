// The dialog in which figures, numbers and lectures are exported: a form, its preview, and below
// both the file, a note and the buttons.
//
// Goals: a file that is there already is overwritten only by a user who was told so: by the word on
// the button, or by a second Enter. Not goals: what is exported, and the work.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "model/workers.h"
#include "ui/dialogs/dialog.h"
#include "ui/panel.h"
#include "views/view_figure.h"

namespace headlight {

/// The parts of a dialog that differ. Each is asked after the form was drawn.
struct ExportParts {
    const char* title;
    Point size;
    float form = 320;  // its width
    int n_note_lines = 1;
    const Progress* progress = nullptr;  // of the running export; null if there is none
    std::function<void()> draw_form;
    std::function<void(Point room)> draw_preview;
    std::function<std::string()> note;
    std::function<bool()> can_export;
    /// Takes the name over, and returns the file that would be overwritten. Throws Error if a file
    /// cannot be called so.
    std::function<std::optional<std::filesystem::path>(const std::string& name)> take_name;
    struct Copy {
        const char *label, *tooltip;
    };
    std::function<std::optional<Copy>()> copy;  // nothing can be copied if there is none
};

class ExportFrame {
  public:
    /// Stop: the running export is to be stopped.
    enum class Answer { None, Export, Copy, Browse, Stop };

    /// Opens in the next frame.
    void open() {
        dialog_.open();
        problem_.clear();
    }
    void close() { dialog_.close(); }
    bool is_open() const { return dialog_.is_open(); }
    /// True before the frame in which it opens.
    bool will_open() const { return dialog_.will_open(); }
    void show_problem(const std::string& problem) { problem_ = problem; }

    /// Fills in a name like `wanted` that no file has.
    std::filesystem::path propose(const std::filesystem::path& wanted);
    /// Takes a file of which the user has said that it may be overwritten, and opens again.
    void take(const std::filesystem::path& chosen);
    /// Returns the file with another ending; a proposed name stays one that no file has.
    std::filesystem::path with_ending(const std::filesystem::path& file, const std::string& ending);

    /// Called once a frame. After Browse it is closed.
    Answer draw(PanelContext& context, const ExportParts& parts);

  private:
    void fill(const std::filesystem::path& file);
    Answer draw_field(PanelContext& context);
    void draw_note(PanelContext& context, const ExportParts& parts) const;
    Answer draw_foot(PanelContext& context, const ExportParts& parts);
    Answer draw_buttons(PanelContext& context, const ExportParts& parts, bool can_export,
                        const std::optional<std::filesystem::path>& existing);
    bool may_write(const std::optional<std::filesystem::path>& existing);
    bool is_confirmed() const;

    Dialog dialog_;
    std::string problem_;
    std::string text_, named_;  // the text of the field; the last one that was taken as a name
    int filled_ = 0;  // counted: a field with a new number keeps no selection of the text before
    std::filesystem::path wanted_;     // the name after which the proposed one is made
    std::filesystem::path proposed_;   // the name that was proposed
    std::filesystem::path confirmed_;  // the text of the field that the user was asked about
};

/// The work of one export at a time, of a figure, numbers or pages, beside the window.
class ExportJob {
  public:
    /// `wake` asks for a frame from another thread.
    explicit ExportJob(std::function<void()> wake) : wake_(std::move(wake)) {}

    /// Starts the work, which returns a message about what was done; then `done` is called. Throws
    /// Error if another export is running. The dialog closes at the end; while it is open, it says
    /// what went wrong.
    void start(ExportFrame& dialog, std::function<std::string(Progress&)> work,
               std::function<void()> done = {});
    /// Starts to make a PNG and to copy it to the clipboard.
    void start_copy(ExportFrame& dialog, const std::string& done,
                    std::function<std::string(Progress&)> make_png);

    /// Called once a frame. Returns a message about what was done since the last call. Throws Error
    /// where it cannot be said in the dialog.
    std::optional<std::string> advance();
    bool is_running() const { return work_.is_running(); }
    /// Returns null if none is running.
    const Progress* progress() const { return is_running() ? &work_.progress() : nullptr; }
    void cancel() { work_.cancel(); }
    void wait() const {
        if (is_running()) work_.wait();
    }

  private:
    std::function<void()> wake_, done_;
    ExportFrame* dialog_ = nullptr;
    Background<std::string> work_;
};

/// Draws the figure as large as `size` allows, and under it its size in millimetres and pixels.
void draw_export_preview(PanelContext& context, const ViewFigure& view, const FigureSheet& sheet,
                         Point size);

}  // namespace headlight
