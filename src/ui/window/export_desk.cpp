#include "ui/window/export_desk.h"

#include <algorithm>

#include "core/error.h"
#include "io/pictures/clipboard_image.h"
#include "io/pictures/figure_png.h"
#include "io/pictures/png_image.h"
#include "scene/export/look_words.h"

namespace headlight {
namespace {

constexpr int kFramesToPhoto = 4;  // the dialog goes, and what was under the pointer goes back

/// "blocks-0-attn-heads-0-pattern.png" beside the study, with the last format.
/// What the middle of the window shows, as a file is named after it.
std::string name_of_view(const Scene& scene) {
    for (const NamedMiddle& middle : kNamedMiddles)
        if (middle.view == scene.selection.view) return std::string(middle.name);
    return scene.selection.chosen.empty() ? "picture" : scene.selection.chosen;
}

std::filesystem::path suggested_file(const Scene& scene, const std::filesystem::path& study,
                                     const ExportChoice& last) {
    std::string name = name_of_view(scene);
    std::ranges::replace(name, '.', '-');
    const std::filesystem::path& folder =
        last.file.empty() ? study.parent_path() : last.file.parent_path();
    return folder / (name + (last.file.empty() ? ".png" : last.file.extension().string()));
}

}  // namespace

void ExportDesk::open(const Scene& scene, const std::filesystem::path& study) {
    choice_.study = study;
    choice_.view = shown_view(scene);
    if (!has_exported_) choice_.look.theme = theme_name(scene.theme);
    if (choice_.file.empty() || named_after_ != name_of_view(scene))
        choice_.file = suggested_file(scene, study, choice_);
    named_after_ = name_of_view(scene);
    dialog_.open();
}

void ExportDesk::repeat(const Scene& scene, const std::filesystem::path& study) {
    if (!has_exported_) return open(scene, study);
    choice_.study = study;
    ask();
}

void ExportDesk::copy_picture(const Scene& scene) {
    ExportChoice choice = choice_;
    if (!dialog_.is_open()) choice.view = shown_view(scene);
    choice.file = "picture.png";
    start_copy([work = make_work(scene, choice)](Progress& progress) {
        return write_png(work.figure, work.sheet, {progress, 1});
    });
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
    choice_.file = file;
    dialog_.open();
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
    if (answer == ExportDialog::Answer::CopyPicture) ask_for_copy(scene);
    return answer == ExportDialog::Answer::Browse;
}

/// A picture of the window is taken only after the dialog has closed.
void ExportDesk::ask() {
    const bool is_window = choice_.view == FigureOf::Window && choice_.is_picture();
    if (!is_window) return void(is_asked_ = true);
    photograph(Photo::Export);
}

void ExportDesk::ask_for_copy(const Scene& scene) {
    if (choice_.view == FigureOf::Window) return photograph(Photo::Copy);
    try {
        copy_picture(scene);
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
    if (!work_.is_ready()) return std::nullopt;
    const bool is_file = !std::exchange(is_copying_, false);
    try {
        std::string done = work_.take();
        has_exported_ = has_exported_ || is_file;
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
