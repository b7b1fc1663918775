#include "ui/export_desk.h"

#include <algorithm>

#include "core/error.h"
#include "io/clipboard_image.h"
#include "io/figure_png.h"

namespace headlight {
namespace {

/// "blocks-0-attn-heads-0-pattern.png" beside the study, with the last format.
std::filesystem::path suggested_file(const Scene& scene, const std::filesystem::path& study,
                                     const ExportChoice& last) {
    std::string name = scene.selection.chosen.empty() ? "picture" : scene.selection.chosen;
    std::ranges::replace(name, '.', '-');
    const std::filesystem::path& folder =
        last.file.empty() ? study.parent_path() : last.file.parent_path();
    return folder / (name + (last.file.empty() ? ".png" : last.file.extension().string()));
}

ThemeName theme_name(const Theme& theme) {
    for (const auto& [word, name] : theme_words())
        if (&theme_named(name) == &theme) return name;
    return ThemeName::Light;
}

}  // namespace

void ExportDesk::open(const Scene& scene, const std::filesystem::path& study) {
    choice_.view = shown_view(scene);
    if (!has_exported_) choice_.look.theme = theme_name(scene.theme);
    if (choice_.file.empty() || chosen_ != scene.selection.chosen)
        choice_.file = suggested_file(scene, study, choice_);
    chosen_ = scene.selection.chosen;
    dialog_.open();
}

void ExportDesk::repeat(const Scene& scene, const std::filesystem::path& study) {
    if (!has_exported_) return open(scene, study);
    is_asked_ = true;
}

void ExportDesk::copy_picture(const ExportedScene& exported) {
    ExportChoice choice = choice_;
    if (!dialog_.is_open()) choice.view = shown_view(exported.scene);
    choice.file = "picture.png";
    const ExportWork work = make_work(exported, choice);
    copy_png(png_of(work.figure, work.sheet));
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

bool ExportDesk::draw(PanelContext& context, const ExportedScene& exported) {
    const ExportDialog::Wish wish = dialog_.draw(context, exported, choice_);
    if (wish == ExportDialog::Wish::Browse) dialog_.close();
    if (wish == ExportDialog::Wish::Export) is_asked_ = true;
    if (wish == ExportDialog::Wish::CopyPicture) {
        try {
            copy_picture(exported);
            dialog_.close();
        } catch (const Error& error) {
            dialog_.show_problem(error.what());
        }
    }
    return wish == ExportDialog::Wish::Browse;
}

void ExportDesk::start(const ExportedScene& exported) {
    is_asked_ = false;
    try {
        work_.start([work = make_work(exported, choice_)](
                        Progress& progress) { return do_work(work, progress); },
                    wake_);
    } catch (const Error& error) {
        if (!dialog_.is_open()) throw;
        dialog_.show_problem(error.what());
    }
}

std::optional<std::string> ExportDesk::advance(const ExportedScene& exported) {
    if (is_asked_ && is_watched_ && !work_.is_running()) start(exported);
    if (!work_.is_ready()) return std::nullopt;
    try {
        std::string done = work_.take();
        has_exported_ = true;
        dialog_.close();
        return done;
    } catch (const Cancelled&) {
        return "The export was cancelled.";
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
