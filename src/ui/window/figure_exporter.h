// Exporting what the window shows: the dialog, and the last export once more.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/text/numbers_text.h"
#include "ui/dialogs/export_frame.h"
#include "ui/panel.h"
#include "views/export/export_work.h"

namespace headlight {

/// The dialog's knowledge of the rest of the window.
struct ExportState {
    std::string animated;                // the motion of the number that is animated; "": none is
    const Progress* progress = nullptr;  // of the running export; null if there is none
};

class ExportDialog {
  public:
    using Answer = ExportFrame::Answer;

    /// Opens in the next frame. The choice's file becomes a name like `wanted` that no file has.
    void open(ExportChoice& choice, const std::filesystem::path& wanted);
    /// Opens again, with a file that the user has chosen elsewhere.
    void open_with(ExportChoice& choice, const std::filesystem::path& chosen);
    void close() { frame_.close(); }
    bool is_open() const { return frame_.is_open(); }
    void show_problem(const std::string& problem) { frame_.show_problem(problem); }
    ExportFrame& frame() { return frame_; }

    /// Called once a frame while it is open; changes the choice.
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
    /// True if the lengths can be read: nothing is exported in another size than the one written
    /// there.
    bool are_lengths_read(const ExportChoice& choice) const;
    void draw_look(PanelContext& context, const ExportState& state, ExportChoice& choice);
    void update_preview(const Scene& scene, const ExportChoice& choice);
    void draw_preview(PanelContext& context, const ExportChoice& choice, Point size);

    Preview preview_;
    ExportFrame frame_;
    std::string matrices_text_, width_text_, type_text_;
};

class FigureExporter {
  public:
    explicit FigureExporter(ExportJob& job) : job_(job) {}

    /// Opens the dialog with its last settings, for what the window shows now, or for a view.
    /// Throws Error if there is nothing for the view.
    void open(const Scene& scene, const std::filesystem::path& study,
              std::optional<ViewId> view = {});
    /// Repeats the last export with what the window shows now, into the same file; opens the dialog
    /// if there was none.
    void repeat(const Scene& scene, const std::filesystem::path& study);
    /// Copies the picture that the window shows into the clipboard. Throws Error if there is none,
    /// or if another export is being done.
    void copy_picture(const Scene& scene);
    /// Copies the table of a view into the clipboard. Returns a message about it. Throws Error if
    /// there is none.
    static std::string copy_table(const Scene& scene, ViewId view, NumbersFormat format);
    /// True for some frames while the window itself is exported: nothing is under the pointer.
    bool is_photographing() const { return photo_ != Photo::None; }
    /// Called once a frame, at its end: true if a picture of it is wanted, which `take_picture`
    /// then gets.
    bool is_picture_due();
    void take_picture(WindowPixels window);
    /// Sets the dialog's file.
    void take_file(const std::filesystem::path& file);

    /// Returns globs of the tensors that the export needs besides what is looked at. Called before
    /// a frame is computed.
    std::vector<std::string> watch(const Scene& scene);

    /// Called once a frame. True if a file is to be chosen by its folder, then `file` says which
    /// one. `animated`: the motion of the number that is animated.
    bool draw(PanelContext& context, const Scene& scene, const std::string& animated);
    const std::filesystem::path& file() const { return choice_.file; }

    /// Starts the export that was asked for; called when everything watched is computed. Throws
    /// Error where it cannot be said in the dialog.
    void advance(const Scene& scene);
    bool is_asked() const { return is_asked_; }  // it waits for what it needs
    void cancel() { is_asked_ = false; }

  private:
    enum class Photo { None, Export, Copy };
    void ask();
    void ask_for_copy(const Scene& scene);
    void copy_numbers(const Scene& scene);
    void photograph(Photo photo);
    void start(const Scene& scene);

    ExportJob& job_;
    ExportDialog dialog_;
    ExportChoice choice_;
    std::string named_after_;            // the view or study that named the file
    std::filesystem::path exported_to_;  // the file of the last export; empty: there was none
    bool is_asked_ = false;              // it is to be exported …
    bool is_watched_ = false;            // … now that everything for it is computed
    Photo photo_ = Photo::None;          // of the window
    int photo_frames_ = 0;               // since it was asked for
    std::optional<WindowPixels> window_;
};

}  // namespace headlight
