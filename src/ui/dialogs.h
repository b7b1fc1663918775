// What can open over the window and asks for an answer.
#pragma once

#include "ui/comparison_chooser.h"
#include "ui/file_dialog.h"
#include "ui/import_dialog.h"
#include "ui/palette.h"

namespace headlight {

struct Dialogs {
    FileDialog file;
    ImportDialog import;
    Palette palette;
    ComparisonChooser chooser;
};

}  // namespace headlight
