// The form of an export: fields that the dialogs of figures and of lectures declare.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/host.h"
#include "model/settings/setting_names.h"
#include "ui/widgets/widgets.h"

namespace headlight {

/// One field: its label, and the control at its right. It stays where it is whatever it holds.
struct ExportField {
    /// Draws the control of that name; returns true if the value has changed.
    using Draw = std::function<bool(PanelContext& context, const char* name)>;

    widgets::SettingName name;
    Draw draw;
    std::function<bool()> is_there = {};     // absent: it always is
    std::function<void()> changed = {};      // called after a change
    std::function<std::string()> note = {};  // stands below the field; "": nothing does
};

/// Draws the fields one below the other. Each is asked if it is there after those above were drawn.
inline void draw_export_fields(PanelContext& context, std::span<const ExportField> fields) {
    constexpr float kField = 88;
    for (const ExportField& field : fields) {
        if (field.is_there && !field.is_there()) continue;
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(field.name.label);
        if (field.name.help) widgets::tooltip(field.name.help);
        ImGui::SameLine(kField);
        ImGui::SetNextItemWidth(widgets::right_edge() - kField);
        if (field.draw(context, field.name.label) && field.changed) field.changed();
        const std::string note = field.note ? field.note() : "";
        if (!note.empty()) widgets::hint(context, note);
    }
}

/// Words to choose from, each with the value for which it stands.
template <typename Value>
using Offers = std::vector<std::pair<std::string, Value>>;

/// Makes a choice among the offers. A value that is none of them becomes the first one.
template <typename Value>
ExportField::Draw choice_of(Value& value, Offers<Value> offers) {
    return [&value, offers = std::move(offers)](PanelContext& context, const char* name) {
        std::vector<const char*> words;
        int picked = 0;
        for (const auto& [word, offered] : offers) {
            if (offered == value) picked = static_cast<int>(words.size());
            words.push_back(word.c_str());
        }
        widgets::choice_field(context, name, picked, words);
        const Value& chosen = offers[static_cast<std::size_t>(picked)].second;
        return !(std::exchange(value, chosen) == chosen);
    };
}

/// Adds the words of an enumeration to the offers.
template <typename Value, typename Choice, std::size_t n>
Offers<Value> with_words(Offers<Value> offers, const EnumNames<Choice, n>& words) {
    for (const auto& [word, value] : words) offers.emplace_back(word, value);
    return offers;
}

/// Returns the names of formats, which stand for their extensions.
Offers<std::string> offered_formats(const auto& formats) {
    Offers<std::string> offers;
    for (const auto& format : formats) offers.emplace_back(format.name, format.extension);
    return offers;
}

/// Says why files of that ending are not written here; "" where they are.
inline std::string note_about_format(const std::string& ending) {
    const char* const why = ending == ".pdf" ? host().lacks.pdf : "";
    return *why ? text_for_user(Error("pdf", why)) : "";
}

/// Makes a field for a text, with a hint while it is empty. Scripts find it as "field NAME", or
/// under another kind.
inline ExportField::Draw text_of(std::string& text, const char* hint, const char* kind = "field") {
    return [&text, hint, kind](PanelContext& context, const char* name) {
        const bool is_changed =
            ImGui::InputTextWithHint(fmt::format("##{}", name).c_str(), hint, &text);
        widgets::name_item(context, fmt::format("{} {}", kind, name));
        return is_changed;
    };
}

}  // namespace headlight
