#include "scene/setting_entries.h"

#include <set>
#include <utility>

#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"

namespace headlight {
namespace {

/// Goes through the settings of its own copy of the study. See model/settings/settings.h.
template <typename AnyStudy>
class Finder {
  public:
    explicit Finder(const AnyStudy& study) : study_(study) {}

    std::vector<SettingEntry> find() {
        visit_fields(study_, *this);
        return std::move(entries_);
    }

    void section(const char* label) { section_ = label; }
    void number(const Field& field, auto& value, auto range) {
        add(field, field.label, setting_text(value) + " now, " + range_text(range));
    }
    void widths(const Field& field, Widths& value, Range<int> range) {
        add(field, field.label, spoken(value) + " now, " + range_text(range));
    }
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& value, const ChoiceWords<Choice, n>& words) {
        for (const auto& [word, choice] : words)
            if (choice != value)
                add_change(field, value, choice, spoken(word), change_name(field, spoken(word)));
    }
    void flag(const Field& field, Switch& value) {
        const Switch other = value == Switch::On ? Switch::Off : Switch::On;
        add_change(field, value, other, setting_text(other), change_name(field, other));
    }
    void group(const Field& field, auto& settings) {
        mattering_.inside(field, [&] { visit_fields(settings, *this); });
    }

  private:
    SettingEntry* add(const Field& field, const std::string& name, const std::string& what) {
        if (!mattering_.of(field)) return nullptr;
        entries_.push_back({name, what + " · " + field.help, section_, field.label, {}, {}});
        return &entries_.back();
    }

    template <typename Value>
    void add_change(const Field& field, Value& value, Value changed, const std::string& word,
                    const std::string& change) {
        SettingEntry* entry = add(field, std::string(field.label) + ": " + word, section_);
        if (!entry) return;
        const Value before = std::exchange(value, changed);
        entry->changed = study_;
        entry->change = change;
        value = before;
    }

    AnyStudy study_;
    Mattering mattering_;
    std::string section_;
    std::vector<SettingEntry> entries_;
};

}  // namespace

std::vector<SettingEntry> setting_entries(const Study& study) {
    return std::visit([](const auto& any) { return Finder(any).find(); }, study);
}

}  // namespace headlight
