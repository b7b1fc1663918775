// headlight export: the scene of a study, as the options of the command line ask for it.
#pragma once

#include <string>

#include "app_state/workspace.h"
#include "cli/commands.h"
#include "views/view_figure.h"

namespace headlight {

/// Looks at the study of the workspace, without a window: evaluated as far as the options need it;
/// nothing is chosen yet. A view other than a matrix is of one sentence, the first if none is asked
/// for.
void look_at(Workspace& space, const ExportStudy& options, const Streams& streams);

/// Chooses a matrix, holds the rows that the options name, and compares with what they name. Throws
/// Error if there is no such row, head or study.
void choose(Workspace& space, const Tensor& tensor, const ExportStudy& options,
            const Streams& streams);

}  // namespace headlight
