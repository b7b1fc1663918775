#include "ui/dialogs/view_options_form.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <string_view>
#include <utility>
#include <vector>

#include "text/strings.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/saved_view.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

constexpr float kFormWidth = 330, kControlWidth = 148, kFormPad = 12;

/// Returns "sum" and "mean" of "sum|mean"; nothing for an option that takes other texts as well.
std::vector<std::string> choices_of(const ViewOption& option) {
    std::vector<std::string> words;
    std::string_view rest = option.type;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('|'), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const bool are_words =
        words.size() > 1 && std::ranges::none_of(words, [](const auto& word) {
            return std::ranges::any_of(word, [](unsigned char c) { return c >= 'A' && c <= 'Z'; });
        });
    return are_words ? words : std::vector<std::string>();
}

/// Returns the choice that a new view has; the first one if none is said to be it.
std::size_t usual_choice(const ViewOption& option, const std::vector<std::string>& choices) {
    for (std::size_t k = 0; k < choices.size(); ++k) {
        ViewState state;
        if (option.read(state, choices[k]) && option.write(state).empty()) return k;
    }
    return 0;
}

/// Returns the help of an option, and why it changes nothing now, without the dashes that options
/// have only on a command line.
std::string help_in_form(const ViewOption& option, const std::string& idle) {
    return without_dashes(idle.empty() ? option.help : fmt::format("{}; {}", option.help, idle));
}

void erase_words(ViewWords& words, std::string_view name) {
    std::erase_if(words, [&](const ViewWord& word) { return word.name == name; });
}

/// Lets the matrix follow a part or a head that was chosen: another part has a matrix of its own,
/// another head the same matrix.
void let_matrix_follow(ViewWords& words, const std::string& changed, const Scene& scene) {
    if (changed == "part")
        for (const char* name : {"tensor", "held", "heads"}) erase_words(words, name);
    const ViewState state = read_view_words(words);
    const auto matrix = std::ranges::find(words, "tensor", &ViewWord::name);
    if (changed != "heads" || state.heads.empty() || matrix == words.end()) return;
    const Tensor* tensor = scene.trace.find(matrix->value);
    if (!tensor || tensor->identity().head < 0) return;
    const Component* attention = component_with(scene.trace, scene.components, tensor->path());
    const Tensor* of_head = attention ? find_of_head(scene.trace, *attention, state.heads.front(),
                                                     tensor->identity().role)
                                      : nullptr;
    if (of_head) matrix->value = of_head->path();
}

/// Returns what the view has without the option: the part and the head of its matrix.
std::vector<std::string> implied_values(const ViewOption& option, const Scene& scene) {
    const Component* attention = shown_attention(scene.components, scene.selection);
    if (option.word == "part") return {scene.selection.component};
    if (option.word == "heads" && attention) return {std::to_string(scene.selection.head)};
    return {};
}

}  // namespace

std::optional<ViewWords> ViewOptionsForm::draw(PanelContext& context) {
    constexpr const char* kTitle = "Options of the view";
    if (std::exchange(must_open_, false)) {
        ImGui::OpenPopup(kTitle);
        refused_ = {};
        typed_ = {};
    }
    if (!ImGui::IsPopupOpen(kTitle) || !context.trace) return std::nullopt;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x - kFormPad, 60}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSize({std::min(kFormWidth, screen.x - 2 * kFormPad), screen.y - 120});
    if (!ImGui::BeginPopup(kTitle, ImGuiWindowFlags_NoMove)) return std::nullopt;
    context.regions.begin_popup();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    context.regions.add("form options", {at.x, at.y, size.x, size.y});
    const std::optional<ViewWords> changed = draw_options(context);
    const bool is_closed_by_key = !ImGui::IsWindowAppearing() && !ImGui::GetIO().WantTextInput &&
                                  compat::is_key_pressed(Key::V, compat::Repeat::No);
    if (context.regions.is_dismissed() || is_closed_by_key) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
    return changed;
}

std::optional<ViewWords> ViewOptionsForm::draw_options(PanelContext& context) {
    const ViewWords words = saved_view(context.scene);
    ViewState state = read_view_words(words);
    // A study that is B has no name that lasts, but sides that can be chosen and named.
    if (state.with.empty() && context.comparison.is_on()) {
        state.with = "B";
        state.sides = context.comparison.show;
        if (context.comparison.other<OtherStudy>())
            state.names = context.comparison.name_a + "|" + context.comparison.name_b;
    }
    const ViewId view = shown_view(context.scene);
    widgets::heading(context, fmt::format("Options of the view “{}”", view_of(view).title),
                     "Each is an option of headlight export, and a key of a lecture's page");
    std::optional<ViewWords> changed;
    for (const ViewOption* of_view : options_of(view, context.document)) {
        const ViewOption& option = *of_view;
        const std::string idle = why_idle(option, view, state, context.scene);
        const bool is_refused = refused_.option == option.word;
        std::vector<std::string> values = is_refused ? refused_.texts : option.write(state);
        if (option.word == "with" && !find_word(words, "with")) values.clear();
        if (values.empty()) values = implied_values(option, context.scene);
        ImGui::BeginDisabled(!idle.empty());
        const bool is_changed = draw_option(context, option, values);
        ImGui::EndDisabled();
        if (is_refused) {
            widgets::warning(context, problem_);
            widgets::name_item(context, "warning " + option.word);
        }
        widgets::hint(context, help_in_form(option, idle));
        ImGui::Dummy({0, 4});
        if (!is_changed) continue;
        changed = words;
        erase_words(*changed, option.word);
        std::erase(values, "");
        for (const std::string& value : values) changed->push_back({option.word, value});
        ViewState alone;
        if (!values.empty() && option.read(alone, values.front()))
            let_matrix_follow(*changed, option.word, context.scene);
        changed_ = {option.word, values};
        refused_ = {};
    }
    return changed;
}

/// Draws its name, and its choices or its texts. Returns true and changes the values if the user
/// has.
bool ViewOptionsForm::draw_option(PanelContext& context, const ViewOption& option,
                                  std::vector<std::string>& values) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(option.word.c_str());
    const float left = widgets::right_edge() - kControlWidth;
    const std::vector<std::string> choices = choices_of(option);
    const std::string name = "option " + option.word;
    if (!choices.empty()) {
        ImGui::SameLine(left);
        ImGui::SetNextItemWidth(kControlWidth);
        std::vector<const char*> names;
        for (const std::string& choice : choices) names.push_back(choice.c_str());
        const auto now = values.empty() ? choices.end() : std::ranges::find(choices, values.back());
        int picked = now == choices.end() ? static_cast<int>(usual_choice(option, choices))
                                          : static_cast<int>(now - choices.begin());
        if (!widgets::choice_field(context, name.c_str(), picked, names)) return false;
        values = {choices[static_cast<std::size_t>(picked)]};
        return true;
    }
    const bool takes_more = option.given == TextOption::Given::OftenAsWell || values.empty();
    if (takes_more) values.emplace_back();
    bool is_changed = false;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (k > 0) ImGui::NewLine();
        ImGui::SameLine(left);
        ImGui::SetNextItemWidth(kControlWidth);
        const std::string field = k == 0 ? name : fmt::format("{} {}", name, k + 1);
        is_changed |= draw_text(context, field, option, values[k]);
    }
    return is_changed;
}

/// True once Enter or another place takes the text over.
bool ViewOptionsForm::draw_text(PanelContext& context, const std::string& name,
                                const ViewOption& option, std::string& value) {
    const auto typed = typed_.find(name);
    std::string text = typed == typed_.end() ? value : typed->second;
    const bool is_entered = widgets::text_field(context, ("##" + name).c_str(), option.type.c_str(),
                                                text, ImGuiInputTextFlags_EnterReturnsTrue);
    const bool is_left = ImGui::IsItemDeactivatedAfterEdit() && !widgets::is_left_by_escape();
    const bool is_active = ImGui::IsItemActive();
    widgets::name_item(context, "text " + name);
    if (is_active && !is_entered)
        typed_[name] = text;
    else
        typed_.erase(name);
    if ((!is_entered && !is_left) || text == value) return false;
    value = text;
    return true;
}

}  // namespace headlight
