#include "ui/window/commands.h"

namespace headlight {

std::span<const NamedCommand> named_commands() {
    static constexpr NamedCommand kCommands[] = {
        {Command::Find, "Find…", "Ctrl+K",
         "a command, a study, a setting, a part, a matrix by its name"},
        {Command::Undo, "Undo", "Ctrl+Z", "the last change of the study"},
        {Command::Redo, "Redo", "Ctrl+Y", "what was undone"},
        {Command::Copy, "Copy", "Ctrl+C", "the held cell or block, as a spreadsheet has it"},
        {Command::CopyLatex, "Copy as LaTeX", "", "the held cell or block, as a bmatrix"},
        {Command::CopyNumPy, "Copy as NumPy", "", "the held cell or block, as an array"},
        {Command::CopyMarkdown, "Copy as Markdown", "", "the held cell or block, as a table"},
        {Command::Paste, "Paste", "Ctrl+V", "numbers, from the held cell or block on"},
        {Command::Open, "Open…", "Ctrl+O", "a study or an edge list"},
        {Command::Import, "Import matrices…", "", "NPZ, safetensors, CSV, into this study"},
        {Command::Save, "Save", "Ctrl+S", "the study"},
        {Command::SaveAs, "Save as…", "Ctrl+Shift+S", "the study, in another file"},
        {Command::Export, "Export…", "Ctrl+E", "what the window shows, or its numbers"},
        {Command::ExportAgain, "Export again", "Ctrl+Shift+E", "as the last time, the same file"},
        {Command::CopyPicture, "Copy picture", "Ctrl+Shift+C", "what the window shows, as a PNG"},
        {Command::Compare, "Compare…", "Ctrl+B", "with another head, sentence, state or study"},
        {Command::HoldAsB, "Hold as B", "Ctrl+Shift+B", "compare what follows with what is now"},
        {Command::SwapSides, "Swap A and B", "", "of what is compared"},
        {Command::PatchFromB, "Patch from B", "", "hold the chosen matrix at B's values"},
        {Command::StopComparing, "Stop comparing", "", "and show A alone"},
        {Command::Release, "Let go", "Esc", "of the cell, word or edge that is held"},
        {Command::Explain, "Explain", "I",
         "the cell's arithmetic, large: all terms, the whole row"},
        {Command::Back, "Back", "Alt+←", "to the cell that was held before a term was followed"},
        {Command::Play, "Play or pause", "Space", "the number that is animated"},
        {Command::WholeMatrix, "Whole matrix", "Home", "in the large picture"},
        {Command::ZoomIn, "Zoom in", "+", "to the held cell, or the middle of the large picture"},
        {Command::ZoomOut, "Zoom out", "−", "of the large picture, while no cell is held"},
        {Command::PictureForm, "Colours…", "", "scale, range and numbers of the large picture"},
        {Command::LargerText, "Larger", "Ctrl++", "everything in the window"},
        {Command::SmallerText, "Smaller", "Ctrl+−", "everything in the window"},
        {Command::NormalText, "Normal size", "Ctrl+0", "everything in the window"},
        {Command::ToggleTheme, "Theme", "", "light, dark, high contrast"},
        {Command::ShowSentence, "Sentence", "", "words that read each other"},
        {Command::ShowAlignment, "Alignment", "", "a target that reads a source"},
        {Command::ShowGraph, "Graph", "", "nodes that read each other"},
        {Command::ShowImage, "Image", "", "patches that read each other"},
        {Command::Present, "Present", "F5", "one step after another, on the whole screen"},
        {Command::Predict, "Predict", "",
         "P while presenting: cover the patterns until they are revealed; all steps; none"},
        {Command::Reveal, "Reveal", "", "R while presenting: lift the cover, or put it back"},
        {Command::ChangeText, "Change the text", "", "T while presenting: what is read"},
        {Command::Laser, "Laser pointer", "L", "a red dot that follows the pointer"},
        {Command::Magnify, "Magnifying glass", "Z", "around the pointer; the wheel changes it"},
        {Command::Help, "Keys", "F1 or ?", "this list"}};
    return kCommands;
}

}  // namespace headlight
