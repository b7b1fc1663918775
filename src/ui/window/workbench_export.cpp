// Workbench: exports, from the command to the message.
#include "core/error.h"
#include "ui/window/workbench.h"

namespace headlight {

ExportedScene Workbench::exported() {
    return {scene(),
            workspace().page,
            workspace().file,
            animator_.motion_text(),
            {window_.x / zoom(), window_.y / zoom()}};
}

void Workbench::run_export(Command command) {
    if (!workspace().page)
        throw Error("export", "there is nothing to export yet; " + session().problem());
    if (command == Command::CopyPicture) {
        exports_.copy_picture(exported());
    } else if (command == Command::ExportAgain) {
        exports_.repeat(scene(), workspace().file);
    } else {
        exports_.open(scene(), workspace().file);
    }
}

/// The dialog; and what is asked for begins when everything that it shows is computed.
void Workbench::draw_export(PanelContext& context) {
    if (!workspace().page) return;
    const ExportedScene shown = exported();
    if (exports_.draw(context, shown))
        dialogs_.file.ask(FileDialog::Purpose::Export, exports_.file());
    if (session().is_busy()) return;
    try {
        if (const auto done = exports_.advance(shown)) notice_.say(*done, Notice::Kind::Done);
    } catch (const Error& error) {
        notice_.say(error.what());
    }
}

/// The window without the dialog that asked for a picture of it.
void Workbench::photograph(WorkbenchWishes& wishes) {
    if (!exports_.is_photographing()) return;
    wishes.draw_again = true;
    if (!exports_.is_picture_due()) return;
    wishes.take_picture = [this](Pixels window) {
        exports_.take_picture(std::move(window));
        wake_();
    };
}

}  // namespace headlight
