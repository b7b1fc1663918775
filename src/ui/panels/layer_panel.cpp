// The settings of the study's layers, and the seed.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "model/changes.h"
#include "model/document.h"
#include "model/settings/setting_text.h"
#include "model/settings/settings.h"
#include "model/settings/study_settings.h"
#include "text/strings.h"
#include "ui/panels/panels.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

/// The state of a form between frames.
struct SettingsFormState {
    std::set<std::string> open = {"Stack", "Attention", "Score", "Recurrent", "Image"};
    widgets::TextEntry entry;  // a list of widths that is being typed
    std::string asked;         // the label of a number that takes the keyboard
};

/// A change of the study that the user has made.
struct SettingChange {
    std::string name;   // "Set heads to 4"; empty: there is none
    std::string field;  // "Heads"
};

/// The explanations of all settings, in the order of the fields.
class SettingWords {
  public:
    struct Line {
        std::string section, text;
        bool is_relevant;
    };

    void section(const char* label) { section_ = label; }
    void number(const Field& field, auto& value, auto) {
        add(field, fmt::format("{} {}", within_sentence(field.label), setting_text(value)));
    }
    void widths(const Field& field, Widths& value, WidthRange range) {
        add(field, fmt::format("{} {}", within_sentence(field.label), spoken(value, range)));
    }
    void choice(const Field& field, auto& value, const auto& words) {
        const std::string word = spoken(word_for(words, value));
        add(field, section_ == field.label
                       ? word
                       : fmt::format("{} {}", within_sentence(field.label), word));
    }
    void flag(const Field& field, Switch& value) {
        const std::string name = within_sentence(field.label);
        add(field, value == Switch::On ? name : "no " + name);
    }
    void group(const Field& field, auto& settings) {
        relevance_.inside(field, [&] { visit_fields(settings, *this); });
    }

    std::vector<Line> take() { return std::move(lines_); }

  private:
    void add(const Field& field, std::string text) {
        lines_.push_back({section_, std::move(text), relevance_.of(field)});
    }

    std::string section_;
    Relevance relevance_;
    std::vector<Line> lines_;
};

template <typename AnyStudy>
std::vector<SettingWords::Line> setting_lines(AnyStudy study) {
    SettingWords words;
    visit_fields(study, words);
    return words.take();
}

/// By section, the settings that differ from their defaults: "causal, window 2".
using SectionNotes = std::map<std::string, std::string>;

template <typename AnyStudy>
SectionNotes section_notes(const AnyStudy& study) {
    const auto lines = setting_lines(study), defaults = setting_lines(AnyStudy{});
    SectionNotes notes;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_relevant || lines[i].text == defaults[i].text) continue;
        std::string& note = notes[lines[i].section];
        append_part(note, ", ", lines[i].text);
    }
    return notes;
}

/// Draws each setting that matters, and keeps the change. See model/settings/settings.h.
class SettingsForm {
  public:
    SettingsForm(PanelContext& context, SettingsFormState& state, SectionNotes notes)
        : context_(context), state_(state), notes_(std::move(notes)) {}

    /// Begins a section, whose heading is drawn before the first setting that matters.
    void section(const char* label) { pending_section_ = label; }
    void number(const Field& field, int& value, Range<int> range) {
        if (!is_shown(field)) return;
        take_keyboard(field);
        if (widgets::int_setting(context_, name(field), value, range))
            note_change(field, change_name(field, setting_text(value)));
        animate_on_right_click(field);
    }
    void number(const Field& field, float& value, Range<float> range) {
        if (!is_shown(field)) return;
        take_keyboard(field);
        if (widgets::float_setting(context_, name(field), value, range))
            note_change(field, change_name(field, setting_text(value)));
        animate_on_right_click(field);
        draw_slider(field, value, range);
    }
    void widths(const Field& field, Widths& value, WidthRange range) {
        if (!is_shown(field)) return;
        if (is_asked(field)) state_.entry = {field.label, setting_text(value), false};
        if (widgets::widths_setting(context_, name(field), value, range, state_.entry))
            note_change(field, change_name(field, spoken(value, range)));
        if (value.values.size() == 1) animate_on_right_click(field);
    }
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& value, const EnumNames<Choice, n>& words) {
        if (!is_shown(field)) return;
        std::array<std::string, n> names;
        std::array<const char*, n> shown;
        int index = 0;
        for (std::size_t i = 0; i < n; ++i) {
            names[i] = spoken(words[i].first);
            shown[i] = names[i].c_str();
            if (words[i].second == value) index = static_cast<int>(i);
        }
        if (!widgets::choice_setting(context_, name(field), index, shown)) return;
        value = words[static_cast<std::size_t>(index)].second;
        note_change(field, change_name(field, names[static_cast<std::size_t>(index)]));
    }
    void flag(const Field& field, Switch& value) {
        if (!is_shown(field)) return;
        int index = value == Switch::On;
        if (!widgets::choice_setting(context_, name(field), index, kSwitchNames)) return;
        value = index == 1 ? Switch::On : Switch::Off;
        note_change(field, change_name(field, value));
    }
    void group(const Field& field, auto& settings) {
        if (!relevance_.of(field)) return;
        const std::string outer = std::exchange(group_, group_ + field.key + ".");
        relevance_.inside(field, [&] { visit_fields(settings, *this); });
        group_ = outer;
    }

    const SettingChange& change() const { return change_; }

  private:
    static constexpr std::array kSwitchNames = {"off", "on"};

    static widgets::SettingName name(const Field& field) { return {field.label, field.help}; }
    bool is_shown(const Field& field) {
        if (!relevance_.of(field)) return false;
        if (pending_section_) draw_section(std::exchange(pending_section_, nullptr));
        return is_open_;
    }
    void draw_section(const char* label) {
        is_open_ = state_.open.contains(label);
        const auto note = notes_.find(label);
        const bool says_note = !is_open_ && note != notes_.end();
        if (!widgets::fold(context_, label, says_note ? note->second : "", is_open_)) return;
        if (is_open_)
            state_.open.insert(label);
        else
            state_.open.erase(label);
    }
    /// True once, in the frame in which the field is drawn.
    bool is_asked(const Field& field) {
        if (!is_shown(field) || state_.asked != field.label) return false;
        state_.asked.clear();
        ImGui::SetScrollHereY();
        return true;
    }
    void take_keyboard(const Field& field) {
        if (is_asked(field)) compat::focus_next_item();
    }
    /// Lets the last item's number be animated.
    void animate_on_right_click(const Field& field) {
        if (ImGui::IsItemClicked(ImGuiMouseButton_Right))
            context_.requests.animation.ask({group_ + field.key});
    }

    /// Draws a slider under every real number, with a button that lets it run by itself.
    void draw_slider(const Field& field, float& value, Range<float> range) {
        constexpr float kPlay = 18, kGap = 6;
        const std::string label = field.label;
        const float width = ImGui::GetContentRegionAvail().x - kPlay - kGap;
        double moved = value;
        if (widgets::slider(context_, label, moved, {range.low, range.high}, width)) {
            const auto shown =
                static_cast<float>(std::round(moved * 100) / 100);  // as in the field
            value = std::clamp(shown, range.low, range.high);
            note_change(field, change_name(field, setting_text(value)));
        }
        animate_on_right_click(field);
        ImGui::SameLine(0, kGap);
        if (widgets::play_mark(context_, label, kPlay))
            context_.requests.animation.ask({.place = {group_ + field.key}, .plays = true});
    }

    void note_change(const Field& field, std::string name) {
        change_ = {std::move(name), field.label};
    }

    PanelContext& context_;
    SettingsFormState& state_;
    SectionNotes notes_;
    const char* pending_section_ = nullptr;  // the section whose heading is not drawn yet
    bool is_open_ = true;
    Relevance relevance_;
    std::string group_;  // keys of the groups around, each with a dot
    SettingChange change_;
};

/// Draws the settings of `study` that matter; a change is made in `study`.
SettingChange draw_settings(PanelContext& context, SettingsFormState& state, Study& study) {
    return std::visit(
        [&](auto& settings) {
            SettingsForm form(context, state, section_notes(settings));
            visit_fields(settings, form);
            return form.change();
        },
        study);
}

class LayerPanel final : public Panel {
  public:
    const char* title() const override { return "Layer"; }
    const char* help() const override {
        return "The settings of the study. Drag a number, or double-click it and type; right-click "
               "it to animate it between two values. Edits of a matrix have no effect while its "
               "shape does not fit, and come back with it.";
    }

    void draw(PanelContext& context) override {
        if (const RecordedStudy* recorded = context.document.recorded())
            return widgets::hint(context, recorded->joined
                                              ? "Of words: the pieces have the settings."
                                              : "Recorded: there is nothing to set.");
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 4});
        if (const auto asked = context.requests.setting.take()) {
            form_.open.insert(asked->section);
            form_.asked = asked->label;
        }
        Study study = context.document.study;
        const SettingChange change = draw_settings(context, form_, study);
        if (!change.name.empty())
            context.edits.push(
                change.name, [study](Document& document) { set_settings(document, study); },
                "setting " + change.field);
        draw_seed(context);
        ImGui::PopStyleVar();
    }

  private:
    static void draw_seed(PanelContext& context) {
        int seed = static_cast<int>(std::min<std::uint64_t>(context.document.seed, kMaxSeed));
        if (widgets::int_setting(
                context, {"Seed", "Weights and embeddings are random numbers from this seed."},
                seed, {0, kMaxSeed}))
            context.edits.push(
                fmt::format("Set the seed to {}", seed),
                [seed](Document& d) { d.seed = static_cast<std::uint64_t>(seed); }, "seed");
        if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) context.requests.animation.ask({"seed"});
    }

    SettingsFormState form_;
};

}  // namespace

std::unique_ptr<Panel> make_layer_panel() {
    return std::make_unique<LayerPanel>();
}

}  // namespace headlight
