// Where the files lie that tests read: beside the sources, and in the archives of goldens.
#pragma once

#include <filesystem>
#include <string>

namespace headlight {

std::filesystem::path source_folder();

/// The folder into which tests/golden/SET.zip is unpacked when tests are built.
std::filesystem::path golden_folder(const std::string& set);

}  // namespace headlight
