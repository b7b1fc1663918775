// What can open over the window and asks for an answer.
#pragma once

#include "ui/dialogs/comparison_chooser.h"
#include "ui/dialogs/file_dialog.h"
#include "ui/dialogs/import_dialog.h"
#include "ui/dialogs/palette.h"

namespace headlight {

struct Dialogs {
    FileDialog file;
    ImportDialog import;
    Palette palette;
    ComparisonChooser chooser;
};

}  // namespace headlight
