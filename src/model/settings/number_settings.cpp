#include "model/settings/number_settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "model/changes.h"
#include "model/settings/study_settings.h"

namespace headlight {
namespace {

constexpr const char* kSeed = "seed";

/// Calls `see(setting, set)` for each number that matters; set(x) changes it. See
/// model/settings/settings.h.
template <typename See>
class NumberVisitor {
  public:
    explicit NumberVisitor(See see) : see_(std::move(see)) {}

    void section(const char*) {}
    void number(const Field& field, int& value, Range<int> range) {
        if (!relevance_.of(field)) return;
        see_(NumberSetting{.path = group_ + field.key,
                           .label = field.label,
                           .value = double(value),
                           .low = double(range.low),
                           .high = double(range.high),
                           .is_whole = true},
             [&value](double wanted) { value = static_cast<int>(std::lround(wanted)); });
    }
    void number(const Field& field, float& value, Range<float> range) {
        if (!relevance_.of(field)) return;
        see_(NumberSetting{group_ + field.key, field.label, value, range.low, range.high},
             [&value](double wanted) { value = static_cast<float>(wanted); });
    }
    void widths(const Field& field, Widths& value, Range<int> range) {
        if (value.values.size() == 1) number(field, value.values[0], range);
    }
    void choice(const Field&, auto&, const auto&) {}
    void flag(const Field&, Switch&) {}
    void group(const Field& field, auto& settings) {
        const std::string outer = std::exchange(group_, group_ + field.key + ".");
        relevance_.inside(field, [&] { visit_fields(settings, *this); });
        group_ = outer;
    }

  private:
    See see_;
    Relevance relevance_;
    std::string group_;
};

void visit_numbers(Study& study, auto see) {
    NumberVisitor visitor(std::move(see));
    std::visit([&](auto& settings) { visit_fields(settings, visitor); }, study);
}

}  // namespace

std::vector<NumberSetting> number_settings(const Document& document) {
    std::vector<NumberSetting> settings;
    Study study = document.study;
    visit_numbers(study, [&](const NumberSetting& setting, auto) { settings.push_back(setting); });
    settings.push_back({.path = kSeed,
                        .label = "Seed",
                        .value = static_cast<double>(document.seed),
                        .high = kMaxSeed,
                        .is_whole = true});
    return settings;
}

std::optional<NumberSetting> find_number_setting(const Document& document,
                                                 const std::string& path) {
    for (NumberSetting& setting : number_settings(document))
        if (setting.path == path) return std::move(setting);
    return std::nullopt;
}

void set_number_setting(Document& document, const std::string& path, double value) {
    const auto setting = find_number_setting(document, path);
    if (!setting || std::isnan(value))
        throw Error("settings", "{} is not a number that can be set here", path);
    const double kept = std::clamp(value, setting->low, setting->high);
    if (path == kSeed) {
        document.seed = static_cast<std::uint64_t>(std::lround(kept));
        return;
    }
    Study study = document.study;
    visit_numbers(study, [&](const NumberSetting& seen, auto set) {
        if (seen.path == path) set(kept);
    });
    set_settings(document, study);
}

}  // namespace headlight
