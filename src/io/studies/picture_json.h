// The picture of a study, as its file names it.
#pragma once

#include "io/text/json_view.h"
#include "model/settings/picture.h"

namespace headlight {

/// The file is opened later (io/pictures/given_picture.h). Throws Error with the line and the key.
GivenPicture read_given_picture(const JsonView& picture);

}  // namespace headlight
