#include "ui/panels/own_metric.h"

#include <chrono>

#include "core/error.h"

namespace headlight {
namespace {

constexpr std::chrono::milliseconds kOfFrame{6};

}  // namespace

void OwnMetric::begin(const std::string& text) {
    text_ = text;
    values_.clear();
    measure_.reset();
    problem_.clear();
    name_.clear();
    if (text.find_first_not_of(' ') == std::string::npos) {
        problem_ = "Type an expression of a head's matrices, such as mean(pattern[*, 0]).";
        return;
    }
    try {
        measure_ = read_head_measure(text, "own metric");
        name_ = measure_->name;
    } catch (const Error& error) {
        problem_ = error.what();
    }
}

void OwnMetric::measure(PanelContext& context, const ListedHead& head) {
    const std::pair key{head.attention->path, head.head};
    try {
        const MeasuredHead of{*trace_, context.components, key.first, key.second,
                              &context.document};
        values_[key] = static_cast<Scalar>(measure_head(*measure_, of));
    } catch (const Error& error) {
        values_[key] = std::nullopt;
        problem_ = error.what();
    }
}

bool OwnMetric::follow(PanelContext& context, const std::vector<ListedHead>& heads,
                       const std::string& text) {
    if (text != text_ || trace_ != context.scene.kept || values_.empty()) {
        trace_ = context.scene.kept;
        begin(text);
    }
    if (!measure_ || !trace_) return false;
    const std::size_t n_before = values_.size();
    const auto end = std::chrono::steady_clock::now() + kOfFrame;
    for (const ListedHead& head : heads) {
        if (values_.contains({head.attention->path, head.head})) continue;
        if (std::chrono::steady_clock::now() > end) {
            context.requests.look_again(0);
            return false;
        }
        measure(context, head);
    }
    return values_.size() > n_before;
}

std::optional<Scalar> OwnMetric::value(const ListedHead& head) const {
    const auto found = values_.find({head.attention->path, head.head});
    return found == values_.end() ? std::nullopt : found->second;
}

}  // namespace headlight
