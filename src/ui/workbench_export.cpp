// Workbench: exports, from the command to the message.
#include "core/error.h"
#include "ui/workbench.h"

namespace headlight {
namespace {

ExportedScene exported(const Workspace& space, const Scene& scene, const Animator& animator) {
    return {scene, space.page, space.file, animator.motion_text()};
}

}  // namespace

void Workbench::run_export(Command command) {
    if (!workspace().page)
        throw Error("export", "there is nothing to export yet; " + session().problem());
    if (command == Command::CopyPicture) {
        exports_.copy_picture(exported(workspace(), scene(), animator_));
        message_ = "The picture is in the clipboard.";
    } else if (command == Command::ExportAgain) {
        exports_.repeat(scene(), workspace().file);
    } else {
        exports_.open(scene(), workspace().file);
    }
}

/// The dialog; and what is asked for begins when everything that it shows is computed.
void Workbench::draw_export(PanelContext& context) {
    if (!workspace().page) return;
    const ExportedScene shown = exported(workspace(), scene(), animator_);
    if (exports_.draw(context, shown))
        dialogs_.file.ask(FileDialog::Purpose::Export, exports_.file());
    if (session().is_busy()) return;
    try {
        if (const auto done = exports_.advance(shown)) message_ = *done;
    } catch (const Error& error) {
        message_ = error.what();
    }
}

}  // namespace headlight
