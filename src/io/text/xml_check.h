// Checks that XML from outside must pass before a library builds a tree of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

struct XmlLimits {
    int depth = 64;
    std::size_t elements = 10'000'000;
};

/// Throws Error, with `source` and the line, unless the bytes are UTF-8 without NUL, have no
/// document type (and so no entities of their own), refer to no characters that XML does not have,
/// and keep to the limits. Whether the elements are closed and named rightly is not looked at.
void check_xml(std::string_view bytes, const std::string& source, const XmlLimits& limits = {});

}  // namespace headlight
