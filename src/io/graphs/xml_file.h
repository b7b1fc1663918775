// XML from outside, safely parsed, and refusals that name the line.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "graph/graph_builder.h"

namespace headlight {

class XmlFile {
  public:
    /// Throws Error, with `source` and the line, unless the bytes are well-formed UTF-8 without
    /// NUL, have no document type (and so no entities of their own), refer to no characters that
    /// XML does not have, keep to the limits of depth and elements, and have this root element.
    /// `bytes` and `source` must outlive the file.
    XmlFile(std::string_view bytes, const std::string& source, std::string_view root);

    pugi::xml_node root() const { return document_.document_element(); }

    [[noreturn]] void fail(const pugi::xml_node& at, const std::string& what) const;
    /// Throws unless every attribute comes once.
    void check_attributes(const pugi::xml_node& element) const;
    /// Throws if there is no such attribute.
    std::string_view needed(const pugi::xml_node& element, const char* attribute) const;

  private:
    void check_encoding() const;

    std::string_view bytes_;
    const std::string& source_;
    pugi::xml_document document_;
};

/// Returns the first descendant whose name without a namespace is this one; empty if there is none.
pugi::xml_node find_descendant(const pugi::xml_node& element, std::string_view name);

/// Returns the node that the attribute names. Throws Error if there is none.
int end_of_edge(const XmlFile& xml, const pugi::xml_node& edge, const char* attribute,
                const GraphBuilder& builder);

}  // namespace headlight
