#include "ui/lecture/lecture_exporter.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <imgui.h>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/file.h"
#include "io/host.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/png_image.h"
#include "text/strings.h"
#include "ui/compat.h"
#include "ui/dialogs/export_form.h"
#include "ui/dialogs/export_frame.h"
#include "ui/widgets/style.h"
#include "views/export/look_names.h"

namespace headlight {
namespace {

constexpr const char* kExportLectureTitle = "Export the lecture";
constexpr float kExportLectureWidth = 980, kExportLectureHeight = 560, kExportLectureForm = 320;

/// Returns the sizes of pages in pixels.
Offers<std::optional<Point>> offered_sizes() {
    return {{"1920 × 1080  (16 : 9)", Point{1920, 1080}},
            {"1280 × 720  (16 : 9)", Point{1280, 720}},
            {"1920 × 1200  (16 : 10)", Point{1920, 1200}},
            {"1600 × 1200  (4 : 3)", Point{1600, 1200}},
            {"1024 × 768  (4 : 3)", Point{1024, 768}}};
}

/// True if a lecture can be put into the program's page.
bool has_program_page() {
    try {
        return find_program_page().has_value();
    } catch (const Error&) {  // the export says why
        return true;
    }
}

bool has_task_cover(const OpenLecture& lecture, std::optional<std::size_t> page) {
    const std::vector<LecturePage>& pages = lecture.lecture().pages;
    for (std::size_t k = page.value_or(0); k < (page ? *page + 1 : pages.size()); ++k) {
        try {
            const std::optional<PageTask> task = read_task(pages[k], "");
            if (task && covers_matrix(*task)) return true;
        } catch (const Error&) {  // a task that is wrong covers nothing
        }
    }
    return false;
}

bool has_live_changes(const OpenLecture& lecture, std::optional<std::size_t> page) {
    for (std::size_t k = page.value_or(0); k < (page ? *page + 1 : lecture.lecture().pages.size());
         ++k)
        if (lecture.has_live_changes(k)) return true;
    return false;
}

std::string done_words(const std::vector<std::filesystem::path>& files,
                       const std::vector<std::string>& notes) {
    std::string words = "Exported to " + path_text(files.front()) +
                        (files.size() > 1 ? " … " + path_text(files.back().filename()) : "");
    if (!notes.empty()) words += ". Note: " + notes.front();
    if (notes.size() > 1) words += "; and " + counted(std::ssize(notes) - 1, "more note");
    return words;
}

/// Returns the page with its pixels in place of its marks: small letters of the window are wider
/// than those on the page, and lines would end beyond it.
PageFigure as_picture(const PageFigure& page, float pixels_per_point) {
    const Figure& figure = page.figure;
    const FigureSheet sheet{.dpi = pixels_per_point * kPointsPerInch,
                            .background = page.background};
    Figure picture{figure.width, figure.height, {}};
    picture.add(PictureMark{{0, 0, figure.width, figure.height},
                            std::make_shared<const Pixels>(rasterize(figure, sheet))});
    return {std::move(picture), page.background, page.note};
}

}  // namespace

void LectureExporter::propose(const OpenLecture& lecture) {
    const bool is_one_a_page =
        lecture_format_of(what_.file).files == LectureFormat::Files::OneAPage;
    const std::string end = what_.is_alive() ? ""
                            : what_.page     ? fmt::format("-p{}", *what_.page + 1)
                            : is_one_a_page  ? "-p{page}"
                                             : "";
    const std::string stem =
        lecture.file().empty() ? "lecture" : std::filesystem::path(lecture.file()).stem().string();
    const std::filesystem::path& folder =
        last_ ? last_->file.parent_path() : lecture.file().parent_path();
    what_.file = frame_.propose(folder / (stem + end + what_.file.extension().string()));
}

void LectureExporter::open(const OpenLecture& lecture) {
    if (lecture.lecture().pages.empty()) throw Error("export", "the lecture has no page yet");
    page_ = lecture.at();
    const bool was_whole = last_ && !last_->page;
    what_.page = was_whole ? std::nullopt : std::optional(page_);
    if (!last_ && !has_program_page()) what_.html = LectureExport::Html::Static;
    propose(lecture);
    frame_.open();
}

void LectureExporter::repeat(const OpenLecture& lecture) {
    if (!last_) return open(lecture);
    start(lecture, *last_);
}

void LectureExporter::copy_page(const OpenLecture& lecture) {
    LectureExport what = what_;
    what.file = "page.png";
    what.page = lecture.at();
    job_.start_copy(
        frame_, "The page is in the clipboard, as a picture.",
        [what, lecture = std::make_shared<const Lecture>(lecture.lecture()),
         folder = lecture.file().parent_path(), name = lecture.name()](Progress& progress) {
            PageDocuments documents(*lecture, folder, name);
            std::string png;
            print_pages(
                {*lecture, documents, name}, print_look(what), progress,
                [&](const PrintedPage& page) {
                    png = write_png(
                        page.figure.figure,
                        {.scale = 1, .dpi = print_dpi(what), .background = page.figure.background});
                });
            return png;
        });
}

void LectureExporter::take_file(const std::filesystem::path& file) {
    frame_.take(file);
    what_.file = file;
}

void LectureExporter::start(const OpenLecture& lecture, const LectureExport& what) {
    if (!lecture.file().empty()) check_is_no_input(what.file, std::array{lecture.file()});
    job_.start(
        frame_,
        [lecture = std::make_shared<const Lecture>(lecture.lecture()),
         folder = lecture.file().parent_path(), name = lecture.name(), what](Progress& progress) {
            PageDocuments documents(*lecture, folder, name);
            const std::vector<std::string> notes =
                write_lecture_export({*lecture, documents, name}, folder, what, progress);
            return done_words(exported_files(what, lecture->pages.size()), notes);
        },
        [this, what] { last_ = what; });
}

bool LectureExporter::draw(PanelContext& context, const OpenLecture& lecture) {
    using Answer = ExportFrame::Answer;
    const Answer answer = frame_.draw(
        context, {.title = kExportLectureTitle,
                  .size = {kExportLectureWidth, kExportLectureHeight},
                  .form = kExportLectureForm,
                  .n_note_lines = 2,
                  .progress = job_.progress(),
                  .draw_form = [&] { draw_form(context, lecture); },
                  .draw_preview = [&](Point room) { draw_preview(context, lecture, room); },
                  .note =
                      [&] {
                          const bool is_wrong = !preview_.problem.empty();
                          return is_wrong ? preview_.problem : preview_.page.note;
                      },
                  .can_export = [] { return true; },
                  .take_name = [&](const std::string& name) { return take_name(lecture, name); },
                  .copy = {}});
    if (answer == Answer::Stop) job_.cancel();
    if (answer == Answer::Export) try {
            start(lecture, what_);
        } catch (const Error& error) {
            frame_.show_problem(error.what());
        }
    return answer == Answer::Browse;
}

void LectureExporter::draw_preview(PanelContext& context, const OpenLecture& lecture, Point room) {
    update_preview(lecture, room);
    const PageFigure& page = preview_.page;
    if (!(page.figure.width > 0)) return;
    draw_export_preview(
        context, {.figure = page.figure, .background = page.background, .look = {}, .note = {}},
        {.scale = 1, .dpi = print_dpi(what_), .background = page.background}, room);
}

/// Returns the first file of the export that is there already.
std::optional<std::filesystem::path> LectureExporter::take_name(const OpenLecture& lecture,
                                                                const std::string& name) {
    LectureExport named = what_;
    named.file = name;
    const std::vector<std::filesystem::path> files =
        exported_files(named, lecture.lecture().pages.size());
    what_.file = named.file;
    std::error_code ignored;
    for (const std::filesystem::path& file : files)
        if (std::filesystem::exists(file, ignored)) return file;
    return std::nullopt;
}

void LectureExporter::draw_form(PanelContext& context, const OpenLecture& lecture) {
    using Html = LectureExport::Html;
    std::string format(lecture_format_of(what_.file).extension);
    draw_export_fields(
        context,
        std::array<ExportField, 7>{
            {{.name = "Pages",
              .draw = choice_of(what_.page, {{fmt::format("page {}", page_ + 1), page_},
                                             {"all pages", std::nullopt}}),
              .is_there = [&] { return !what_.is_alive(); },
              .changed = [&] { propose(lecture); }},
             {.name = "Format",
              .draw = choice_of(format, offered_formats(lecture_formats())),
              .changed =
                  [&] {
                      what_.file.replace_extension(format);
                      propose(lecture);
                  },
              .note = [&] { return note_about_format(format); }},
             {.name = {"Web page", "Alive, the page holds the program and takes answers"},
              .draw = choice_of(what_.html, {{"alive, with the program", Html::Alive},
                                             {"text and pictures", Html::Static}}),
              .is_there = [&] { return format == ".html"; },
              .changed = [&] { propose(lecture); }},
             {.name = {"Size", "Pixels of a picture; on paper the shape of a page"},
              .draw = choice_of(what_.size_px, offered_sizes()),
              .is_there = [&] { return !what_.is_alive(); }},
             {.name = "Theme",
              .draw = choice_of(what_.theme, with_words<std::optional<ThemeName>>(
                                                 {{"as the pages say", {}}}, kThemeWords)),
              .is_there = [&] { return !what_.is_alive(); }},
             {.name = "Sheets",
              .draw = choice_of(what_.n_per_sheet, {{"a page on a sheet of its own", 1},
                                                    {"2, on A4 with lines", 2},
                                                    {"4, on A4", 4}}),
              .is_there = [&] { return format == ".pdf" && !what_.page; }},
             {.name = {"Each page", "How long it is seen"},
              .draw = choice_of(what_.page_secs,
                                {{"2 s", 2.0f}, {"4 s", 4.0f}, {"8 s", 8.0f}, {"15 s", 15.0f}}),
              .is_there = [&] { return format == ".gif"; }}}});
    say_what_is_left_out(context, lecture);
}

/// Says in which ways the file will differ from the slide.
void LectureExporter::say_what_is_left_out(PanelContext& context,
                                           const OpenLecture& lecture) const {
    if (what_.is_alive())
        widgets::hint(
            context,
            has_program_page()
                ? std::string("The file holds all pages and the program itself, about 15 MB. "
                              "Like the lecture, it holds the answers for who looks.")
            : *host().lacks.web_pages ? text_for_user(Error("page", host().lacks.web_pages))
                                      : "The program's page is not here; `./run web` makes it.");
    if (!what_.is_alive() && has_task_cover(lecture, what_.page))
        widgets::hint(context, "What a task covers stays covered, whatever was answered.");
    if (has_live_changes(lecture, what_.page))
        widgets::hint(context,
                      "Pages are exported as the lecture has them: what was changed on a slide is "
                      "part of it only after Keep changes.");
}

void LectureExporter::update_preview(const OpenLecture& lecture, Point room) {
    const Point page = print_look(what_).size;
    const float pixels_per_point = std::min({room.x / page.x, room.y / page.y, 1.0f}) *
                                   ImGui::GetIO().DisplayFramebufferScale.x;
    const bool is_same = preview_.version == lecture.version() && preview_.of.page == what_.page &&
                         preview_.of.theme == what_.theme && print_look(preview_.of).size == page &&
                         preview_.pixels_per_point == pixels_per_point;
    if (is_same || pixels_per_point <= 0) return;
    preview_ = {lecture.version(), what_, pixels_per_point, {}, {}};
    LectureExport one = what_;
    one.page = what_.page.value_or(page_);
    try {
        Progress progress;
        PageDocuments documents(lecture.lecture(), lecture.file().parent_path(), lecture.name());
        print_pages({lecture.lecture(), documents, lecture.name()}, print_look(one), progress,
                    [&](const PrintedPage& printed) {
                        preview_.page = as_picture(printed.figure, pixels_per_point);
                    });
    } catch (const Error& error) {
        preview_.problem = error.what();
    }
}

}  // namespace headlight
