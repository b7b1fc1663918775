// Where the sources lie, for tests that read files beside them.
#pragma once

#include <filesystem>

namespace headlight {

std::filesystem::path source_folder();

}  // namespace headlight
