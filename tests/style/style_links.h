// The links of Markdown pages to files and headings of the repository.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "style/style_rules.h"

namespace headlight::style {

/// The anchors of the headings of a page, as GitHub makes them: "## Who is “it”?" is #who-is-it.
std::vector<std::string> anchors_of(const std::string& page);

/// A finding for every link to a file that does not exist, or to a heading that its page lacks.
/// Links to other places on the web are not followed. `pages` are texts by their path from the root
/// of the repository; `exists` says of such a path whether it is a file or a folder.
std::vector<Finding> check_links(const std::map<std::string, std::string>& pages,
                                 const std::function<bool(const std::string&)>& exists);

}  // namespace headlight::style
