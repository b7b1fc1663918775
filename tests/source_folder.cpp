#include "source_folder.h"

namespace headlight {

std::filesystem::path source_folder() {
    return HEADLIGHT_SOURCE_DIR;
}

std::filesystem::path golden_folder(const std::string& set) {
    return std::filesystem::path(HEADLIGHT_GOLDEN_DIR) / set;
}

}  // namespace headlight
