#include "ui/panels/component_strip.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <imgui.h>

#include "figure/labels.h"
#include "io/studies/ready_studies.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/view_figure.h"
#include "views/views.h"

namespace headlight {
namespace {

constexpr float kStripMargin = 16, kStripTop = 8, kStripLine = 30, kStripText = 12;
constexpr float kButtonGap = 4, kGroupGap = 14;

/// Parts that are entered together: one, or all steps of a kind.
struct Entry {
    std::string group, label;
    std::vector<const Component*> components;

    bool is_steps() const { return components.size() > 1; }
    bool has(const std::string& path) const {
        return std::any_of(components.begin(), components.end(),
                           [&](const Component* component) { return component->path == path; });
    }
};

/// Returns the entry of a step: "Encoder forward step 3" is one of the "forward steps" of
/// "Encoder".
Entry steps_entry(const Component& component) {
    const std::string kind = network_words(component.place.network);
    const std::size_t space = kind.find(' ');
    const std::string rest = space == std::string::npos ? "" : kind.substr(space + 1) + " ";
    return {kind.substr(0, space), rest + "steps", {&component}};
}

std::vector<Entry> make_entries(const Components& components) {
    std::vector<Entry> entries;
    for (const Component& component : components) {
        const auto same = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
            const Component& other = *entry.components[0];
            return component.is_of_step() && other.is_of_step() &&
                   other.place.network == component.place.network;
        });
        if (same != entries.end())
            same->components.push_back(&component);
        else
            entries.push_back(component.is_of_step()
                                  ? steps_entry(component)
                                  : Entry{component.group, component.label, {&component}});
    }
    return entries;
}

/// Folds each layer into one entry that leads to its attention; the open one keeps its parts.
std::vector<Entry> folded(const std::vector<Entry>& entries, const std::string& open) {
    std::vector<Entry> result;
    for (auto it = entries.begin(); it != entries.end();) {
        const auto end = std::find_if(it, entries.end(),
                                      [&](const Entry& entry) { return entry.group != it->group; });
        const bool is_open =
            std::any_of(it, end, [&](const Entry& entry) { return entry.has(open); });
        if (is_open || end - it == 1) {
            result.insert(result.end(), it, end);
        } else {
            const auto attention = std::find_if(
                it, end, [](const Entry& entry) { return entry.components[0]->n_heads > 0; });
            const Entry& best = attention == end ? *it : *attention;
            result.push_back({it->group, "", {best.components[0]}});
        }
        it = end;
    }
    return result;
}

bool is_alone(const Entry& entry) {
    const auto same = [](char a, char b) { return (a | 32) == (b | 32); };
    return entry.label.empty() || std::equal(entry.label.begin(), entry.label.end(),
                                             entry.group.begin(), entry.group.end(), same);
}

/// Draws entries one after another, on as many lines as they need.
class Strip {
  public:
    Strip(PanelContext& context, float width)
        : context_(context), start_(ImGui::GetCursorPos()), width_(width - 2 * kStripMargin) {}

    static float strip_width(const std::vector<Entry>& entries) {
        float width = 0;
        std::string group;
        for (const Entry& entry : entries) {
            if (entry.group != group && !is_alone(entry)) width += text_width(entry.group) + 6;
            width += chip_width(chip_text(entry)) + (entry.group != group ? kGroupGap : kButtonGap);
            group = entry.group;
        }
        return width;
    }

    /// Returns the height.
    float draw(const std::vector<Entry>& entries) {
        draw_views();
        if (context_.least_main > 0 && x_ + strip_width(entries) > width_) return draw_menu();
        std::string group;
        for (const Entry& entry : entries) {
            const bool is_new_group = entry.group != group;
            const std::string title = is_new_group && !is_alone(entry) ? entry.group : "";
            if (x_ > 0) x_ += is_new_group ? kGroupGap : kButtonGap;
            make_room((title.empty() ? 0 : text_width(title) + 6) + entry_width(entry));
            if (!title.empty()) {
                place_cursor();
                ImGui::AlignTextToFramePadding();
                ImGui::TextDisabled("%s", title.c_str());
                x_ += text_width(title) + 6;
            }
            group = entry.group;
            const Component& first = *entry.components[0];
            entry.is_steps() ? draw_steps(entry)
                             : draw_chip(chip_text(entry), first, "part " + first.path);
        }
        draw_origin();
        return y_ + kStripLine + kStripTop;
    }

  private:
    /// Draws only the open part, where there is no room for several lines; a click lists all.
    float draw_menu() {
        const Component& open = open_component(context_.components, context_.selection);
        const bool is_open = context_.selection.view == ViewId::Matrix;
        if (x_ > 0) x_ += kButtonGap;
        if (draw_button(component_name(open) + " ▾", is_open, "button Parts"))
            ImGui::OpenPopup("parts");
        constexpr float kListPad = 12;
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {kListPad, kListPad});
        const bool is_listed = ImGui::BeginPopup("parts", ImGuiWindowFlags_NoMove);
        ImGui::PopStyleVar();
        if (is_listed) {
            context_.regions.begin_popup();
            for (const Component& component : context_.components) {
                if (ImGui::Selectable(component_name(component).c_str(),
                                      is_open && &component == &open))
                    context_.selection.choose_component(*context_.trace, context_.components,
                                                        component.path);
                widgets::name_item(context_, "part " + component.path);
            }
            context_.regions.end_popup();
            ImGui::EndPopup();
        }
        draw_origin();
        return y_ + kStripLine + kStripTop;
    }

    /// Returns "Layer 0 · attention".
    static std::string component_name(const Component& component) {
        const Entry entry{component.group, component.label, {&component}};
        return is_alone(entry) ? component.group
                               : fmt::format("{} · {}", component.group, component.label);
    }

    static float text_width(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }
    static float chip_width(const std::string& text) {
        return text_width(text) + 2 * ImGui::GetStyle().FramePadding.x;
    }
    static std::string chip_text(const Entry& entry) {
        return is_alone(entry) ? entry.group : entry.label;
    }

    /// Returns "step 3" for "Decoder step 3".
    static std::string step_text(const Entry& entry, const Component& component) {
        return component.group.substr(std::min(component.group.size(), entry.group.size() + 1));
    }

    /// Returns the entry's step that is open; null if none is.
    const Component* open_step(const Entry& entry) const {
        return entry.has(context_.selection.component)
                   ? find_component(context_.components, context_.selection.component)
                   : nullptr;
    }

    float entry_width(const Entry& entry) const {
        const Component* step = entry.is_steps() ? open_step(entry) : nullptr;
        if (!step) return chip_width(chip_text(entry));
        return chip_width(step_text(entry, *step)) + 2 * (chip_width("←") + kButtonGap);
    }

    void make_room(float width) {
        if (x_ == 0 || x_ + width <= width_) return;
        x_ = 0;
        y_ += kStripLine;
    }

    void place_cursor() const {
        ImGui::SetCursorPos({start_.x + kStripMargin + x_, start_.y + kStripTop + y_});
    }

    void draw_chip(const std::string& text, const Component& leads_to, const std::string& name) {
        const bool is_open = context_.selection.view == ViewId::Matrix &&
                             leads_to.path == context_.selection.component;
        if (draw_button(text, is_open, name))
            context_.selection.choose_component(*context_.trace, context_.components,
                                                leads_to.path);
    }

    /// Draws the buttons of views; that of a shown view stays.
    void draw_views() {
        if (context_.trains)
            draw_view("← Training", ViewId::Heads, "part training");
        else
            offer_view(view_of(ViewId::Heads));
        for (const ViewEntry& view : all_views())
            if (view.stands_in_middle() && view.id != ViewId::Heads) offer_view(view);
    }

    void offer_view(const ViewEntry& view) {
        const bool is_open = context_.selection.view == view.id;
        const auto is_offered = view.has_button ? view.has_button : view.has_content;
        if (!is_open && !(view.button && is_offered(context_.scene))) return;
        const std::string text = view.button ? view.button : view.title;
        std::string name = text;
        name.front() = static_cast<char>(std::tolower(name.front()));
        draw_view(text, view.id, "part " + name);
    }

    void draw_view(const std::string& text, ViewId view, const std::string& name) {
        if (x_ > 0) x_ += kButtonGap;
        if (draw_button(text, context_.selection.view == view, name))
            context_.selection.view = view;
    }

    /// True if it was pressed.
    bool draw_button(const std::string& text, bool is_open, const std::string& name) {
        const Theme& theme = context_.theme;
        place_cursor();
        ImGui::PushStyleColor(ImGuiCol_Button, im_vec(is_open ? theme.accent_soft : theme.card));
        ImGui::PushStyleColor(ImGuiCol_Text, im_vec(is_open ? theme.accent : theme.text));
        ImGui::PushStyleColor(ImGuiCol_Border, im_vec(is_open ? theme.accent : theme.border));
        const bool is_pressed = ImGui::Button(fmt::format("{}##{}", text, name).c_str());
        ImGui::PopStyleColor(3);
        widgets::name_item(context_, name);
        x_ += chip_width(text);
        return is_pressed;
    }

    /// Draws the origin at the right end, or on a line of its own where the large matrix leaves
    /// one, or where it warns. An origin set by hand gets the room that there is: a drag must not
    /// move the matrix below it.
    void draw_origin() {
        const std::string whole = shown_origin(context_.scene);
        if (whole.empty()) return;
        const bool warns = !training_notes(context_.document).empty();
        if (x_ > 0) x_ += kGroupGap;
        if (context_.least_main <= 0 || warns)
            make_room(text_width(shown_origin(context_.scene, OriginParts{.has_edits = false})));
        const auto measure = [](const std::string& text, float, Font) { return text_width(text); };
        const std::string origin =
            shortened({.at = {}, .text = origin_in_line(whole, kStripText, width_ - x_, measure)},
                      width_ - x_, measure);
        const float width = text_width(origin);
        if (x_ > 0) x_ = width_ - width;
        place_cursor();
        ImGui::AlignTextToFramePadding();
        ImGui::TextColored(im_vec(warns ? context_.theme.warning : context_.theme.muted), "%s",
                           origin.c_str());
        widgets::name_item(context_, "origin of the weights");
        const bool is_trained = context_.document.weights || context_.document.recorded();
        widgets::tooltip(
            (whole +
             (is_trained
                  ? "."
                  : ".\nRandom weights show how attention works, not what a trained model does"))
                .c_str());
    }

    /// Draws the open step with its neighbours before and after, or one chip for all.
    void draw_steps(const Entry& entry) {
        const Location network{.network = entry.components[0]->place.network};
        const std::string name = "part " + network.at("steps").path;
        const Component* step = open_step(entry);
        if (!step) return draw_chip(entry.label, *entry.components[0], name);
        const auto at = std::find(entry.components.begin(), entry.components.end(), step);
        if (at != entry.components.begin())
            draw_chip("←", **(at - 1), "button step before"), x_ += kButtonGap;
        draw_chip(step_text(entry, *step), *step, name);
        if (at + 1 == entry.components.end()) return;
        x_ += kButtonGap;
        draw_chip("→", **(at + 1), "button step after");
    }

    PanelContext& context_;
    ImVec2 start_;
    float width_;
    float x_ = 0, y_ = 0;
};

}  // namespace

float draw_component_strip(PanelContext& context, float width) {
    const ImVec2 start = ImGui::GetCursorPos();
    context.painter.push_font(Font::Regular, kStripText);
    std::vector<Entry> entries = make_entries(context.components);
    if (Strip::strip_width(entries) > width - 2 * kStripMargin)
        entries = folded(entries, context.selection.component);
    const float height = Strip(context, width).draw(entries);
    context.painter.pop_font();
    ImGui::SetCursorPos({start.x, start.y + height});
    return height;
}

}  // namespace headlight
