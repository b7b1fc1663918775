#include "ui/dialogs/view_options_form.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/color_scale.h"
#include "io/text/json_text.h"
#include "text/strings.h"
#include "ui/compat.h"
#include "ui/widgets/color_map_field.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/export/look_names.h"
#include "views/panels_view.h"
#include "views/saved_view.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

constexpr float kFormWidth = 330, kGroupWidth = 264, kControlWidth = 148, kFormPad = 12;

/// Returns "sum" and "mean" of "sum|mean".
std::vector<std::string> alternatives_of(const ViewOption& option) {
    std::vector<std::string> words;
    std::string_view rest = option.type;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('|'), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return words;
}

/// True of a placeholder such as LOW:HIGH, and of a name.
bool has_capitals(const std::string& word) {
    return std::ranges::any_of(word, [](unsigned char c) { return c >= 'A' && c <= 'Z'; });
}

/// Returns the alternatives; nothing for an option that takes other texts as well.
std::vector<std::string> choices_of(const ViewOption& option) {
    const std::vector<std::string> words = alternatives_of(option);
    const bool are_words = words.size() > 1 && std::ranges::none_of(words, has_capitals);
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

/// Draws buttons for the words among the texts of an option: "standard" of standard|LOW:HIGH.
bool draw_words(PanelContext& context, const ViewOption& option, std::vector<std::string>& values) {
    std::vector<std::string> words = alternatives_of(option);
    std::erase_if(words, has_capitals);
    const std::string now = !values.empty() && !values.back().empty() ? values.back()
                            : words.empty()                           ? ""
                                            : words[usual_choice(option, words)];
    bool is_pressed = false;
    for (const std::string& word : words) {
        if (&word != &words.front()) widgets::same_line_if_fits(word.c_str());
        if (!draw_chip(context, word.c_str(), nullptr, word == now ? Chosen::Yes : Chosen::No))
            continue;
        values = {word};
        is_pressed = true;
    }
    return is_pressed;
}

bool draw_limit(PanelContext& context, const char* label, Scalar& value) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    ImGui::SameLine(widgets::right_edge() - kControlWidth);
    ImGui::SetNextItemWidth(kControlWidth);
    float typed = value;
    ImGui::DragFloat(fmt::format("##{}", label).c_str(), &typed, 0.005f, 0, 0, "%.4g",
                     ImGuiSliderFlags_NoRoundToFormat);
    widgets::name_item(context, fmt::format("field {}", label));
    if (!std::isfinite(typed) || typed == value) return false;
    value = typed;
    return true;
}

/// Draws the ends of a range, which can be dragged, or the button that makes it a fixed one. Where
/// values have signs, it lies evenly about 0.
bool draw_limits(PanelContext& context, const PictureSettings& settings, Signs signs,
                 std::vector<std::string>& values) {
    const bool has_signs = signs == Signs::Both;
    Scalar low = settings.low, high = settings.high;
    bool is_changed = false;
    if (settings.range == PictureSettings::Range::Fixed) {
        is_changed = !has_signs && draw_limit(context, "From", low);
        is_changed |= draw_limit(context, has_signs ? "Up to ±" : "To", high);
    } else {
        widgets::same_line_if_fits("fixed");
        is_changed = draw_chip(context, "fixed", "Sets the ends of the range", Chosen::No);
    }
    if (is_changed)
        values = {fmt::format("{}:{}", number_text(has_signs ? -high : low), number_text(high))};
    return is_changed;
}

}  // namespace

std::vector<ViewOptionsForm::Kind> ViewOptionsForm::list_kinds(PanelContext& context) {
    PictureScales& scales = context.selection.scales;
    const std::vector<Tensor>& tensors = context.trace->tensors();
    const Tensor* leading = leading_matrix(context.scene, shown_view(context.scene));
    std::vector<Kind> kinds;
    for (const auto& [word, quantity] : kQuantityWords) {
        const auto first = std::ranges::find(tensors, quantity, &Tensor::quantity);
        if (first == tensors.end()) continue;
        const bool leads = leading && leading->quantity() == quantity;
        kinds.push_back({word, leads ? leading : &*first, &scales.of(quantity),
                         is_signed(quantity) ? Signs::Both : Signs::One});
    }
    const auto with_signs = std::ranges::find(kinds, Signs::Both, &Kind::signs);
    if (context.comparison.is_on() && with_signs != kinds.end())
        kinds.push_back(
            {kDifferenceWord, with_signs->example, &scales.of_difference(), Signs::Both});
    return kinds;
}

/// Draws the choice of the matrices whose colours are set. Returns nothing if there are none.
std::optional<ViewOptionsForm::Kind> ViewOptionsForm::choose_kind(PanelContext& context) {
    const std::vector<Kind> kinds = list_kinds(context);
    if (kinds.empty()) return std::nullopt;
    const ViewId view = shown_view(context.scene);
    const Comparison& comparison = context.comparison;
    const bool shows_difference = comparison.is_on() && view_of(view).shows_sides() &&
                                  comparison.show == Comparison::Show::Difference;
    const Tensor* leading = leading_matrix(context.scene, view);
    const std::string_view shown = !kind_.empty()     ? std::string_view(kind_)
                                   : shows_difference ? kDifferenceWord
                                   : leading ? word_for(kQuantityWords, leading->quantity())
                                             : "";
    std::vector<const char*> words;
    int picked = 0;
    for (const Kind& kind : kinds) {
        if (kind.word == shown) picked = static_cast<int>(words.size());
        words.push_back(kind.word.data());
    }
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Matrices");
    widgets::tooltip("Matrices of one kind have the same colours and numbers");
    ImGui::SameLine(widgets::right_edge() - kControlWidth);
    ImGui::SetNextItemWidth(kControlWidth);
    if (widgets::choice_field(context, "Matrices", picked, words)) {
        kind_ = words[static_cast<std::size_t>(picked)];
        refused_ = {};
        typed_ = {};
    }
    return kinds[static_cast<std::size_t>(picked)];
}

void ViewOptionsForm::open(Group group) {
    group_ = group;
    refused_ = {};
    typed_ = {};
    kind_ = {};
    dialog_.open();
}

bool ViewOptionsForm::begin(PanelContext& context) {
    if (!context.trace) return false;
    constexpr const char* kTitle = "Options of the view";
    if (std::exchange(must_stay_, false) && !ImGui::IsPopupOpen(kTitle)) dialog_.open();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    Dialog::Look look{.title = kTitle,
                      .size = {kFormWidth, screen.y - 120},
                      .kind = Dialog::Kind::Form,
                      .top = 60,
                      .right = screen.x - kFormPad};
    if (group_ == Group::None) return dialog_.begin(context, look);
    look.size = {kGroupWidth, 0};
    // It covers the picture only where there is no room beside it.
    if (const auto picture = context.regions.find("large matrix")) {
        const bool has_room = picture->x > kGroupWidth + kFormPad;
        look.top = has_room ? picture->y : picture->y + 36;
        look.right = (has_room ? picture->x : picture->right()) - kFormPad;
    }
    return dialog_.begin(context, look);
}

std::optional<ViewWords> ViewOptionsForm::draw(PanelContext& context) {
    if (!begin(context)) return std::nullopt;
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    context.regions.add("form options", {at.x, at.y, size.x, size.y});
    const std::optional<ViewWords> changed = draw_options(context);
    dialog_.end(context);
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
    const char* const title = view_of(view).title;
    widgets::heading(context, group_ == Group::Colors
                                  ? "Colours and numbers"
                                  : fmt::format("Options of the view “{}”", title));
    widgets::hint(context, "Each is an option of headlight export, and a key of a lecture's page.");
    std::optional<ViewWords> changed;
    std::optional<Kind> kind;
    for (const ViewOption* of_view : options_of(view, context.document)) {
        const ViewOption& option = *of_view;
        if (group_ != Group::None && option.group != group_) continue;
        std::string idle = why_idle(option, view, state, context.scene);
        if (option.picture) {
            if (!kind) kind = choose_kind(context);
            if (!kind) continue;
            if (idle.empty()) idle = why_idle(option, kind->example->quantity(), *kind->settings);
            const std::string text = option.picture->write(*kind->settings, kind->signs);
            std::vector<std::string> values;
            if (!text.empty()) values = {text};
            if (!draw_option(context, option, idle, &*kind, values)) continue;
            const std::string wrong = set_picture_option(
                *kind->settings, option, values.empty() ? "" : values.front(), kind->signs);
            if (!wrong.empty()) show_problem(wrong);
            continue;
        }
        std::vector<std::string> values = option.write(state);
        if (option.word == "with" && !find_word(words, "with")) values.clear();
        if (values.empty()) values = implied_values(option, context.scene);
        if (!draw_option(context, option, idle, nullptr, values)) continue;
        changed = words;
        erase_words(*changed, option.word);
        for (const std::string& value : values) changed->push_back({option.word, value});
        ViewState alone;
        if (!values.empty() && option.read(alone, values.front()))
            let_matrix_follow(*changed, option.word, context.scene);
    }
    if (group_ == Group::None) return changed;
    const std::optional<ViewWords> reset = draw_reset(context, kind);
    return reset ? reset : changed;
}

/// Draws the button that makes all options of the group as they are in a new view.
std::optional<ViewWords> ViewOptionsForm::draw_reset(PanelContext& context,
                                                     const std::optional<Kind>& kind) {
    if (!widgets::button(context, "As at first", "Resets all of these settings"))
        return std::nullopt;
    refused_ = {};
    typed_ = {};
    if (kind) *kind->settings = {};
    ViewWords words = saved_view(context.scene);
    const auto n_erased = std::erase_if(words, [&](const ViewWord& word) {
        const ViewOption* option = find_view_option(word.name);
        return option && option->group == group_ && !option->picture;
    });
    return n_erased > 0 ? std::optional(words) : std::nullopt;
}

/// Draws an option, its help, and why its last change was refused. Returns true and changes the
/// values if the user has.
bool ViewOptionsForm::draw_option(PanelContext& context, const ViewOption& option,
                                  const std::string& idle, const Kind* kind,
                                  std::vector<std::string>& values) {
    const bool is_refused = refused_.option == option.word;
    if (is_refused) values = refused_.texts;
    const std::string help = kind && option.word == "colors" && idle.empty()
                                 ? kColorMapHelp
                                 : help_in_form(option, idle);
    ImGui::BeginDisabled(!idle.empty());
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(option.word.c_str());
    if (group_ != Group::None) widgets::tooltip(help.c_str());
    ImGui::PushID(option.word.c_str());
    const bool is_changed = draw_control(context, option, kind, values);
    ImGui::PopID();
    ImGui::EndDisabled();
    if (is_refused) {
        widgets::warning(context, problem_);
        widgets::name_item(context, "warning " + option.word);
    }
    if (group_ == Group::None) {
        widgets::hint(context, help);
        ImGui::Dummy({0, 4});
    }
    if (!is_changed) return false;
    std::erase(values, "");
    changed_ = {option.word, values};
    refused_ = {};
    return true;
}

/// Draws its choices, or its texts.
bool ViewOptionsForm::draw_control(PanelContext& context, const ViewOption& option,
                                   const Kind* kind, std::vector<std::string>& values) {
    const float left = widgets::right_edge() - kControlWidth;
    ImGui::SameLine(left);
    ImGui::SetNextItemWidth(kControlWidth);
    const std::string name = "option " + option.word;
    if (kind && option.word == "colors") {
        std::string map = values.empty() ? "" : values.front();
        const bool is_changed = color_map_field(context, name.c_str(), *kind->example, map);
        values = {map};
        return is_changed;
    }
    const std::vector<std::string> choices = choices_of(option);
    if (!choices.empty()) {
        std::vector<const char*> names;
        for (const std::string& choice : choices) names.push_back(choice.c_str());
        const auto now = values.empty() ? choices.end() : std::ranges::find(choices, values.back());
        int picked = now == choices.end() ? static_cast<int>(usual_choice(option, choices))
                                          : static_cast<int>(now - choices.begin());
        if (!widgets::choice_field(context, name.c_str(), picked, names)) return false;
        values = {choices[static_cast<std::size_t>(picked)]};
        return true;
    }
    const bool takes_more = !kind && option.given == TextOption::Given::OftenAsWell;
    if (takes_more || values.empty()) values.emplace_back();
    bool is_changed = false;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (k > 0) {
            ImGui::NewLine();
            ImGui::SameLine(left);
            ImGui::SetNextItemWidth(kControlWidth);
        }
        const std::string field = k == 0 ? name : fmt::format("{} {}", name, k + 1);
        is_changed |= draw_text(context, field, option, values[k]);
    }
    is_changed |= draw_words(context, option, values);
    if (kind && option.word == "range")
        is_changed |= draw_limits(context, *kind->settings, kind->signs, values);
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
    if (is_active && text != value) context.requests.keep_text();
    if ((!is_entered && !is_left) || text == value) return false;
    value = text;
    return true;
}

}  // namespace headlight
