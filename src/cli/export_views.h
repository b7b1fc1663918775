// The views of a study, as the command line names them, and the scene that shows them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "scene/figures/view_figure.h"

namespace headlight {

/// "matrix|graph|…|window"
std::string view_words();
bool is_view_word(const std::string& text);
/// What is asked for: a walk is of steps, without another word it is a matrix. Throws Error if no
/// view is called so.
FigureOf view_of(const ExportStudy& options);

/// A study that is looked at, without a window.
struct StudyScene {
    Document document;
    std::shared_ptr<const Trace> whole, page;  // all sentences; one of them, or all
    Parts parts;
    Selection selection;
    std::unique_ptr<Session> session;        // of the document, for what it is compared with …
    std::unique_ptr<Comparison> comparison;  // … null: with nothing

    Scene scene(const Theme& theme) const {
        return {document, *page, parts, selection, theme, comparison.get(), page};
    }
};

/// Evaluated as far as the options need it; nothing is chosen yet. A view other than a matrix is of
/// one sentence, the first if none is asked for.
StudyScene look_at(Document document, const ExportStudy& options, const Streams& streams);

/// Chooses a matrix, holds what the options hold, and compares with what they name. Throws Error if
/// there is no such row, head or study.
void choose(StudyScene& study, const Tensor& tensor, const ShownOptions& shown,
            const Streams& streams);

}  // namespace headlight
