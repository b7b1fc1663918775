// The views of a study, as the command line names them, and the scene that shows them.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"
#include "ui/view_figure.h"

namespace headlight {

/// The window as it is, which is no figure.
inline constexpr const char* kWindowWord = "window";

/// "matrix|graph|…|window"
std::string view_words();
bool is_view_word(const std::string& text);
/// What is asked for: a walk is of steps, without another word it is a matrix. Throws Error if no
/// view is called so.
FigureOf view_of(const ExportStudy& options);

/// A study that is looked at, without a window.
struct StudyScene {
    Document document;
    Trace trace;  // of one sentence, or of all
    Parts parts;
    Selection selection;

    Scene scene(const Theme& theme) const { return {document, trace, parts, selection, theme}; }
};

/// Evaluated as far as the options need it; nothing is chosen yet. A view other than a matrix is of
/// one sentence, the first if none is asked for.
StudyScene look_at(Document document, const ExportStudy& options, const Streams& streams);

/// Chooses a matrix, and holds what the options hold. Throws Error if there is no such row.
void choose(StudyScene& study, const Tensor& tensor, const ExportStudy& options,
            const Streams& streams);

}  // namespace headlight
