// What is held in a study that is seen for the first time.
#pragma once

namespace headlight {

struct Workspace;

/// A new study shows at once what pointing does: the strongest key of a word past the middle, of
/// the patch in the middle, or of what is asked about. There must be a page. False while the
/// pattern is not there.
bool hold_something(Workspace& space);

}  // namespace headlight
