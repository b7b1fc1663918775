// What must be computed for what is looked at.
#pragma once

namespace headlight {

struct Workspace;

/// Watches what is shown of the open part, every pattern of its attention for the thumbnails, what
/// the view in the middle shows, and what is exported.
void watch_selection(Workspace& space);

}  // namespace headlight
