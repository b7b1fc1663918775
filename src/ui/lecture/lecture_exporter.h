// Exporting a lecture from the window: its pages or one of them, with a dialog like that of a
// figure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "present/lecture_export.h"
#include "present/open_lecture.h"
#include "ui/dialogs/export_frame.h"
#include "ui/panel.h"

namespace headlight {

class LectureExporter {
  public:
    explicit LectureExporter(ExportJob& job) : job_(job) {}

    /// Opens the dialog for the chosen page, or for all pages if those were exported last. Throws
    /// Error if there is no page.
    void open(const OpenLecture& lecture);
    /// Repeats the last export with the lecture as it is now; opens the dialog if there was none.
    void repeat(const OpenLecture& lecture);
    /// Copies the chosen page as a picture into the clipboard. Throws Error if another export is
    /// being done.
    void copy_page(const OpenLecture& lecture);
    /// Sets the dialog's file, and opens it again.
    void take_file(const std::filesystem::path& file);

    /// Called once a frame. True if a file is to be chosen by its folder, then `file` says which
    /// one.
    bool draw(PanelContext& context, const OpenLecture& lecture);
    const std::filesystem::path& file() const { return what_.file; }

  private:
    /// The page as it will be exported; it is made anew when what it shows has changed.
    struct Preview {
        std::uint64_t version = 0;  // of the lecture
        LectureExport of;
        float pixels_per_point = 0;
        PageFigure page;
        std::string problem;
    };

    void draw_form(PanelContext& context, const OpenLecture& lecture);
    void say_what_is_left_out(PanelContext& context, const OpenLecture& lecture) const;
    void draw_preview(PanelContext& context, const OpenLecture& lecture, Point room);
    void update_preview(const OpenLecture& lecture, Point room);
    std::optional<std::filesystem::path> take_name(const OpenLecture& lecture,
                                                   const std::string& name);
    void propose(const OpenLecture& lecture);
    void start(const OpenLecture& lecture, const LectureExport& what);

    ExportJob& job_;
    LectureExport what_{.file = "lecture.pdf", .size_px = Point{1920, 1080}};
    ExportFrame frame_;
    Preview preview_;
    std::size_t page_ = 0;               // the one that is chosen in the lecture
    std::optional<LectureExport> last_;  // the one that was done last
};

}  // namespace headlight
