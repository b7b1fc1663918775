#include "source_folder.h"

namespace headlight {

std::filesystem::path source_folder() {
    return HEADLIGHT_SOURCE_DIR;
}

}  // namespace headlight
