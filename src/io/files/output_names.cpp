#include "io/files/output_names.h"

#include <fmt/format.h>
#include <map>

#include "core/error.h"
#include "text/strings.h"

namespace headlight {
namespace {

std::string number_text(int number) {
    return number >= 0 ? std::to_string(number) : "-";
}

std::string meaning(const std::string& word, const Tensor& tensor) {
    if (word == "path") return tensor.path();
    if (word == "name") return std::string(tensor.name());
    if (word == "layer") return number_text(tensor.identity().layer);
    if (word == "frame") return "{frame}";  // of a film, each frame has its own
    if (word == "head") return number_text(tensor.identity().head);
    throw Error("--output", in_quotes("{" + word + "}") +
                                " means nothing; there are {path}, {layer}, {head} and {name}");
}

/// Returns `pattern` with each brace replaced by the tensor's value.
std::string output_name(const std::string& pattern, const Tensor& tensor) {
    std::string name;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t end = pattern[at] == '{' ? pattern.find('}', at) : std::string::npos;
        if (end == std::string::npos) {
            name += pattern[at++];
            continue;
        }
        name += meaning(pattern.substr(at + 1, end - at - 1), tensor);
        at = end + 1;
    }
    return name;
}

}  // namespace

std::vector<std::string> output_names(const std::string& pattern,
                                      const std::vector<const Tensor*>& tensors) {
    std::vector<std::string> names;
    std::map<std::string, const Tensor*> known;
    for (const Tensor* tensor : tensors) {
        names.push_back(output_name(pattern, *tensor));
        const auto [at, is_new] = known.emplace(names.back(), tensor);
        if (!is_new)
            throw Error(
                "--output", "{} and {} would both be {}; put {{path}} into the name{}",
                at->second->path(), tensor->path(), in_quotes(names.back()),
                tensors.size() > 2 ? fmt::format(", there are {} matrices", tensors.size()) : "");
    }
    return names;
}

}  // namespace headlight
