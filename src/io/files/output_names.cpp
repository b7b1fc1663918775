#include "io/files/output_names.h"

#include <map>

#include "core/error.h"
#include "core/parts.h"
#include "io/text/printable.h"

namespace headlight {
namespace {

/// The number after the first segment: "blocks.3.attn…" → "3".
std::string layer_of(const std::string& path) {
    const std::size_t begin = path.find('.');
    if (begin == std::string::npos) return "-";
    const std::string segment = path.substr(begin + 1, path.find('.', begin + 1) - begin - 1);
    const bool is_number =
        !segment.empty() && segment.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? segment : "-";
}

std::string meaning(const std::string& word, const std::string& path) {
    if (word == "path") return path;
    if (word == "name") return path.substr(path.rfind('.') + 1);
    if (word == "layer") return layer_of(path);
    if (word == "frame") return "{frame}";  // of a film, each frame has its own
    if (word == "head") return head_of(path) >= 0 ? std::to_string(head_of(path)) : "-";
    throw Error("--output", in_quotes("{" + word + "}") +
                                " means nothing; there are {path}, {layer}, {head} and {name}");
}

}  // namespace

std::string output_name(const std::string& pattern, const std::string& tensor_path) {
    std::string name;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t end = pattern[at] == '{' ? pattern.find('}', at) : std::string::npos;
        if (end == std::string::npos) {
            name += pattern[at++];
            continue;
        }
        name += meaning(pattern.substr(at + 1, end - at - 1), tensor_path);
        at = end + 1;
    }
    return name;
}

std::vector<std::string> output_names(const std::string& pattern,
                                      const std::vector<const Tensor*>& tensors) {
    std::vector<std::string> names;
    std::map<std::string, const Tensor*> known;
    for (const Tensor* tensor : tensors) {
        names.push_back(output_name(pattern, tensor->path()));
        const auto [at, is_new] = known.emplace(names.back(), tensor);
        if (!is_new)
            throw Error("--output",
                        at->second->path() + " and " + tensor->path() + " would both be " +
                            in_quotes(names.back()) + "; put {path} into the name" +
                            (tensors.size() > 2
                                 ? ", there are " + std::to_string(tensors.size()) + " matrices"
                                 : ""));
    }
    return names;
}

}  // namespace headlight
