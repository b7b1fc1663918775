#include "cli/export_window.h"

#include "cli/open_study.h"
#include "cli/window_command.h"
#include "core/error.h"
#include "io/files/file.h"
#include "scene/options/choose_shown.h"
#include "ui/window/workbench.h"

namespace headlight {
namespace {

/// The middle of the window that is no part.
bool is_middle(const std::optional<std::string>& component) {
    return component && middle_named(*component);
}

void arrange(Workbench& workbench, const ExportStudy& options, const Streams& streams) {
    ShownOptions shown = options.shown;
    if (is_middle(shown.component)) shown.component.reset();
    Selection& selection = workbench.selection();
    const Scene scene = workbench.scene();
    open_shown(selection, scene.trace, scene.components, shown);
    const std::string path =
        options.choice.matrices.empty() ? selection.chosen : options.choice.matrices.front();
    if (options.choice.look.selected == FigureLook::Selected::Hidden) selection.release();
    choose_shown(selection, {scene.trace, scene.trace.at(path)}, scene.components, shown,
                 notes_to(streams));
    if (!shown.with) return;
    workbench.comparison().show = shown.sides;
    workbench.comparison().start(
        other_shown(scene.document, *workbench.session().trace(), shown,
                    [&](const std::string& file) { return open_study(file, streams); }));
}

}  // namespace

void export_window(const ExportStudy& options, const Streams& streams) {
    const FigureLook& look = options.choice.look;
    const Point size = look.room.value_or(Point{1280, 800});
    if (!options.output.ends_with(".png"))
        throw Error(options.output,
                    "the window is a picture of pixels: the extension must be .png");
    if (options.choice.matrices.size() > 1) throw Error("--tensor", "the window shows one matrix");
    make_parent_folder(options.output);
    const float scale = look.dpi / kPointsPerInch;
    WindowPicture picture{
        .study = options.study,
        .output = options.output,
        .width_px = size.x * scale,
        .height_px = size.y * scale,
        .theme = look.theme,
        .show = is_middle(options.shown.component) ? options.shown.component : std::nullopt,
        .step = {},
        .scale = scale,
        .sentence = options.sentence};
    picture.arrange = [&](Workbench& workbench) { arrange(workbench, options, streams); };
    render_window(picture);
}

}  // namespace headlight
