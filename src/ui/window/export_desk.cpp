#include "ui/window/export_desk.h"

#include <algorithm>
#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "io/pictures/clipboard_image.h"
#include "io/pictures/figure_png.h"
#include "io/pictures/png_image.h"
#include "io/text/csv.h"
#include "io/text/labelled_table.h"
#include "paint/number_format.h"
#include "scene/export/look_words.h"
#include "scene/tables/view_table.h"

namespace headlight {
namespace {

constexpr int kFramesToPhoto = 4;  // the dialog goes, and what was under the pointer goes back

/// What the middle of the window shows, or the view that is exported, as a file is named after it.
std::string name_of_view(const Scene& scene, FigureOf view) {
    const bool is_analysis = has_table(view) && view != FigureOf::Heads;
    for (const NamedFigure& named : named_views())
        if (is_analysis && named.view == view) return named.word;
    for (const NamedMiddle& middle : kNamedMiddles)
        if (middle.view == scene.selection.view) return std::string(middle.name);
    return scene.selection.chosen.empty() ? "picture" : scene.selection.chosen;
}

/// "blocks-0-attn-heads-0-pattern.png" beside the study, with the last format.
std::filesystem::path suggested_file(std::string name, const std::filesystem::path& study,
                                     const ExportChoice& last) {
    std::ranges::replace(name, '.', '-');
    const std::filesystem::path& folder =
        last.file.empty() ? study.parent_path() : last.file.parent_path();
    return folder / (name + (last.file.empty() ? ".png" : last.file.extension().string()));
}

std::string table_text(const Table& table, NumbersFormat format) {
    switch (format) {
        case NumbersFormat::Tsv:
            return write_tsv(table, ReadBy::Spreadsheet);
        case NumbersFormat::Latex:
            return write_latex_table(table);
        case NumbersFormat::Markdown:
            return write_markdown_table(table);
        case NumbersFormat::NumPy:
            break;
    }
    return write_numbers(numbers_of(table), format);
}

}  // namespace

void ExportDesk::open(const Scene& scene, const std::filesystem::path& study,
                      std::optional<FigureOf> view) {
    const FigureOf shown = view.value_or(exported_view(scene));
    check_is_shown(scene, shown);
    choice_.study = study;
    choice_.view = shown;
    if (!has_exported_) choice_.look.theme = theme_name(scene.theme);
    const std::string name = name_of_view(scene, shown);
    const bool is_new = choice_.file.empty() || named_after_ != name;
    named_after_ = name;
    dialog_.open(choice_, is_new ? suggested_file(name, study, choice_) : choice_.file);
}

void ExportDesk::repeat(const Scene& scene, const std::filesystem::path& study) {
    if (!has_exported_) return open(scene, study);
    choice_.study = study;
    choice_.file = exported_to_;
    ask();
}

void ExportDesk::copy_picture(const Scene& scene) {
    ExportChoice choice = choice_;
    if (!dialog_.is_open()) choice.view = exported_view(scene);
    choice.file = "picture.png";
    start_copy([work = make_work(scene, choice)](Progress& progress) {
        return write_png(work.figure, work.sheet, {progress, 1});
    });
}

std::string ExportDesk::copy_table(const Scene& scene, FigureOf view, NumbersFormat format) {
    const ViewTable made = view_table(scene, view);
    ImGui::SetClipboardText(table_text(made.table, format).c_str());
    const auto named = std::ranges::find(named_views(), view, &NamedFigure::view);
    return std::string("The numbers of “") + named->name +
           "” are in the clipboard: " + format_count(static_cast<Index>(made.table.n_rows())) +
           (made.table.n_rows() == 1 ? " row." : " rows.") +
           (made.note.empty() ? "" : " " + made.note);
}

/// In the format of the file.
void ExportDesk::copy_numbers(const Scene& scene) {
    const ExportWork work = make_work(scene, choice_);
    if (work.files.size() > 1)
        throw Error("export", "only one file can be copied, and these are several");
    ImGui::SetClipboardText(bytes_of(work, work.files.front(), {}).c_str());
    copied_ = "The numbers are in the clipboard." +
              (work.note.empty() ? std::string() : " Note: " + work.note + ".");
    dialog_.close();
}

void ExportDesk::start_copy(std::function<std::string(Progress&)> make_png) {
    if (work_.is_running())
        throw Error("export", "another export is running; wait for it, or cancel it");
    is_copying_ = true;
    work_.start(
        [make_png = std::move(make_png)](Progress& progress) -> std::string {
            progress.begin(1);
            progress.enter("the picture");
            const std::string png = make_png(progress);
            progress.enter("the picture");  // nothing is copied of what was cancelled
            copy_png(png);
            return "The picture is in the clipboard.";
        },
        wake_);
}

void ExportDesk::take_file(const std::filesystem::path& file) {
    dialog_.open_with(choice_, file);
}

std::vector<std::string> ExportDesk::watch(const Scene& scene) {
    is_watched_ = is_asked_;
    if (!dialog_.is_open() && !is_asked_) return {};
    return watched_for(scene, choice_);
}

bool ExportDesk::draw(PanelContext& context, const Scene& scene, const std::string& animated) {
    const ExportDialog::Answer answer =
        dialog_.draw(context, scene, choice_, {animated, progress()});
    if (answer == ExportDialog::Answer::Browse) dialog_.close();
    if (answer == ExportDialog::Answer::Export) ask();
    if (answer == ExportDialog::Answer::Stop) cancel();
    if (answer == ExportDialog::Answer::Copy) ask_for_copy(scene);
    return answer == ExportDialog::Answer::Browse;
}

/// A picture of the window is taken only after the dialog has closed.
void ExportDesk::ask() {
    const bool is_window = choice_.view == FigureOf::Window && choice_.is_picture();
    if (!is_window) return void(is_asked_ = true);
    photograph(Photo::Export);
}

void ExportDesk::ask_for_copy(const Scene& scene) {
    const bool is_picture = choice_.is_picture();
    if (choice_.view == FigureOf::Window && is_picture) return photograph(Photo::Copy);
    try {
        is_picture ? copy_picture(scene) : copy_numbers(scene);
    } catch (const Error& error) {
        dialog_.show_problem(error.what());
    }
}

void ExportDesk::photograph(Photo photo) {
    photo_ = photo;
    photo_frames_ = 0;
    dialog_.close();
}

bool ExportDesk::is_picture_due() {
    return is_photographing() && ++photo_frames_ == kFramesToPhoto;
}

void ExportDesk::take_picture(WindowPixels window) {
    is_asked_ = photo_ == Photo::Export;
    photo_ = Photo::None;
    window_ = std::move(window);
}

void ExportDesk::start(const Scene& scene) {
    is_asked_ = false;
    choice_.film.sentence = scene.selection.sentence;
    working_on_ = choice_.file;
    try {
        work_.start([work = make_work(scene, choice_, std::exchange(window_, std::nullopt))](
                        Progress& progress) { return do_work(work, progress).text; },
                    wake_);
    } catch (const Error& error) {
        if (!dialog_.is_open()) throw;
        dialog_.show_problem(error.what());
    }
}

std::optional<std::string> ExportDesk::advance(const Scene& scene) {
    if (window_ && !is_asked_)
        start_copy([window = *std::exchange(window_, std::nullopt)](Progress& progress) {
            return write_pixels(window.pixels, {.steps = {progress, 1}});
        });
    if (is_asked_ && is_watched_ && !work_.is_running()) start(scene);
    if (!copied_.empty()) return std::exchange(copied_, {});
    if (!work_.is_ready()) return std::nullopt;
    const bool is_file = !std::exchange(is_copying_, false);
    try {
        std::string done = work_.take();
        has_exported_ = has_exported_ || is_file;
        if (is_file) exported_to_ = working_on_;
        dialog_.close();
        return done;
    } catch (const Cancelled&) {
        const char* done = "The export was cancelled; nothing was written.";
        if (!dialog_.is_open()) return done;
        dialog_.show_problem(done);
        return std::nullopt;
    } catch (const Error& error) {
        if (!dialog_.is_open()) throw;
        dialog_.show_problem(error.what());
        return std::nullopt;
    }
}

void ExportDesk::cancel() {
    is_asked_ = false;
    work_.cancel();
}

void ExportDesk::wait() const {
    if (work_.is_running()) work_.wait();
}

}  // namespace headlight
