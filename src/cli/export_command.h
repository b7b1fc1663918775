// headlight export: the views of a study, as the command line names them, and the scene that shows them.
#pragma once

#include <string>

#include "cli/commands.h"
#include "scene/figures/view_figure.h"
#include "scene/workspace.h"

namespace headlight {

/// Returns "matrix|graph|…|window".
std::string view_words();
bool is_view_word(const std::string& text);
/// Returns the view that the options ask for. A walk shows steps; without a view it is a matrix.
/// Throws Error if there is no view of that name.
ViewId chosen_view(const ExportStudy& options);

/// True if a picture of the view that was saved with the study is asked for: no option names
/// anything to look at.
bool shows_kept_view(const ExportStudy& options);
/// Returns the options with the words of the saved view; an option that was given takes the place
/// of its own. Throws Error if a word is no option.
ExportStudy with_kept_view(const ExportStudy& options, const ViewWords& view);

/// Returns the options with the matrices of panels, however they were named: as matrices or as
/// panels. For numbers there are none.
ExportStudy with_named_panels(const ExportStudy& options);

/// Looks at the study of the workspace, without a window: evaluated as far as the options need it;
/// nothing is chosen yet. A view other than a matrix is of one sentence, the first if none is asked
/// for.
void look_at(Workspace& space, const ExportStudy& options, const Streams& streams);

/// Chooses a matrix, holds the rows that the options name, and compares with what they name. Throws
/// Error if there is no such row, head or study.
void choose(Workspace& space, const Tensor& tensor, const ExportStudy& options,
            const Streams& streams);

}  // namespace headlight
