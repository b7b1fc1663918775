// What a user can ask for that is no edit of the document.
#pragma once

#include <vector>

namespace headlight {

enum class Command {
    ShowSentence,
    ShowAlignment,
    ShowGraph,
    ShowImage,
    Undo,
    Redo,
    Find,
    Open,
    Save,
    SaveAs,
    Export,
    ToggleTheme,
    LargerText,
    SmallerText,
    NormalText,
    Release,
};

using Commands = std::vector<Command>;

}  // namespace headlight
