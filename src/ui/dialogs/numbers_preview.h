// The beginning of a file of numbers, as the export dialog shows it.
#pragma once

#include <string>

#include "scene/export/export_work.h"

namespace headlight {

/// What is in the file, and its text where it is one.
std::string numbers_preview(const ExportWork& work);

}  // namespace headlight
