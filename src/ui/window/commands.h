// What a user can ask for that is no edit of the document.
#pragma once

#include <span>
#include <vector>

namespace headlight {

enum class Command {
    ShowSentence,
    ShowAlignment,
    ShowGraph,
    ShowImage,
    Undo,
    Redo,
    Copy,
    CopyLatex,
    CopyNumPy,
    CopyMarkdown,
    Paste,
    Find,
    Open,
    Import,
    Save,
    SaveAs,
    Export,
    ExportAgain,
    CopyPicture,
    ToggleTheme,
    LargerText,
    SmallerText,
    NormalText,
    Release,
    Explain,
    Back,
    Play,
    WholeMatrix,
    ZoomIn,
    ZoomOut,
    PictureForm,
    Compare,
    HoldAsB,
    SwapSides,
    PatchFromB,
    StopComparing,
    Present,
    Predict,
    Reveal,
    ChangeText,
    Laser,
    Magnify,
    OpenLeft,
    OpenRight,
    OpenBottom,
    Help,
};

/// A command as people meet it: in lists and in the help.
struct NamedCommand {
    Command command;
    const char *name, *keys, *what;  // keys may be ""
};
std::span<const NamedCommand> named_commands();

using Commands = std::vector<Command>;

}  // namespace headlight
