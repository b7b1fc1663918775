#include "core/trace.h"

#include "core/error.h"

namespace headlight {
namespace {

/// The paths that end like the one asked for, for the error text.
std::string near_paths(const Trace& trace, std::string_view path) {
    const std::string_view last = path.substr(path.rfind('.') + 1);
    std::string near;
    int found = 0;
    for (const Tensor& tensor : trace.tensors()) {
        if (!matches("*" + std::string(last), tensor.path) || last.empty()) continue;
        if (++found > 3) break;
        near += (near.empty() ? "" : ", ") + tensor.path;
    }
    return near.empty() ? "`headlight list` shows the paths" : "near: " + near;
}

}  // namespace

TensorId Trace::add(Tensor tensor) {
    const TensorId id = tensors_.size();
    if (!by_path_.emplace(tensor.path, id).second)
        throw Error("trace", "the path " + tensor.path + " is used twice");
    tensors_.push_back(std::move(tensor));
    return id;
}

const Tensor* Trace::find(std::string_view path) const {
    const auto it = by_path_.find(std::string(path));
    return it == by_path_.end() ? nullptr : &tensors_[it->second];
}

const Tensor& Trace::at(std::string_view path) const {
    return tensors_[id_of(path)];
}

TensorId Trace::id_of(std::string_view path) const {
    const auto it = by_path_.find(std::string(path));
    if (it == by_path_.end())
        throw Error("trace",
                    "no tensor is called '" + std::string(path) + "'; " + near_paths(*this, path));
    return it->second;
}

std::string axis_name(const Trace& trace, const Axis& axis) {
    switch (axis.kind) {
        case AxisKind::Query:
            return "query";
        case AxisKind::Key:
            return "key";
        case AxisKind::Item:
            return trace.item_noun;
        case AxisKind::Edge:
            return "edge";
        case AxisKind::Model:
            return trace.edges ? "feature" : "d_model";
        case AxisKind::HeadKey:
            return "d_k";
        case AxisKind::HeadValue:
            return trace.edges ? "d_out" : "d_v";
        case AxisKind::Concat:
            return "heads";
        case AxisKind::Single:
            return "";
    }
    return "";
}

std::string axis_label(const Trace& trace, const Axis& axis, Index index) {
    const auto at = static_cast<std::size_t>(index);
    const auto item = [&](std::size_t i) {
        return trace.items && i < trace.items->size() ? (*trace.items)[i] : std::to_string(i);
    };
    switch (axis.kind) {
        case AxisKind::Query:
        case AxisKind::Key:
        case AxisKind::Item:
            return item(at);
        case AxisKind::Edge:
            return item(static_cast<std::size_t>(trace.edges->row[at])) + " ← " +
                   item(static_cast<std::size_t>(trace.edges->neighbour[at]));
        default:
            return std::to_string(index);
    }
}

bool matches(std::string_view glob, std::string_view path) {
    std::size_t g = 0, p = 0, star = std::string_view::npos, resume = 0;
    while (p < path.size()) {
        if (g < glob.size() && (glob[g] == '?' || glob[g] == path[p]) && glob[g] != '*') {
            ++g, ++p;
        } else if (g < glob.size() && glob[g] == '*') {
            star = g++;
            resume = p;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            p = ++resume;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*') ++g;
    return g == glob.size();
}

}  // namespace headlight
