#include "ui/dialogs/palette.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <sstream>

#include "figure/labels.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr const char* kFindTitle = "Find";
constexpr std::size_t kMostFound = 200;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
    return text;
}

/// Returns only the words, as people type them: “Who is “it”?” and “who-is-it” are both “who is
/// it”, “a → b” and “a -> b” are both “a b”. Letters beyond ASCII stay, but for quotation marks and
/// arrows.
std::string words_alone(const std::string& text) {
    constexpr std::string_view kMarks[] = {"“", "”", "‘", "’", "„", "«", "»", "→", "←", "↔", "–"};
    std::string plain;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const auto found = std::ranges::find_if(
            kMarks, [&](std::string_view mark) { return text.compare(k, mark.size(), mark) == 0; });
        if (found != std::end(kMarks)) {
            k += found->size() - 1;
            continue;
        }
        const auto c = static_cast<unsigned char>(text[k]);
        const bool is_of_word = c >= 128 || std::isalnum(c);
        if (is_of_word)
            plain += text[k];
        else if (!plain.empty() && plain.back() != ' ')
            plain += ' ';
    }
    if (plain.ends_with(' ')) plain.pop_back();
    return plain;
}

bool has_all_words(const std::string& text, const std::string& query) {
    std::istringstream words(query);
    for (std::string word; words >> word;)
        if (text.find(word) == std::string::npos) return false;
    return true;
}

/// Returns a rank for how well the name answers the query: 0 is best.
int rank_name(const std::string& name, const std::string& query) {
    const std::string plain = words_alone(name), wanted = words_alone(query);
    const std::string subject = words_alone(name.substr(0, name.find(": ")));  // "causal: on"
    const bool has_words = !wanted.empty();
    if (name == query || (has_words && (plain == wanted || subject == wanted))) return 0;
    if (name.starts_with(query) || (has_words && plain.starts_with(wanted))) return 1;
    if (has_words && (" " + plain).find(" " + wanted) != std::string::npos) return 2;
    if (name.find(query) != std::string::npos) return 3;
    return has_all_words(name, query) ? 4 : 5;
}

/// Returns a rank for how well an entry answers; the less the better, −1: not at all. Of equal ones
/// a setting of the open study comes first.
int rank_entry(const PaletteEntry& entry, const std::string& query) {
    if (query.empty()) return 0;
    const std::string name = lower(entry.name),
                      all = fmt::format("{} {} {}", name, lower(entry.what), entry.kind);
    const std::string wanted = words_alone(query);
    const bool is_found =
        has_all_words(all, query) || (!wanted.empty() && has_all_words(words_alone(all), wanted));
    if (!is_found) return -1;
    return 2 * rank_name(name, query) + (entry.kind == "setting" ? 0 : 1);
}

/// Notes which arrow key was pressed: the arrows of the field step through the found entries.
int note_arrow(ImGuiInputTextCallbackData* data) {
    *static_cast<int*>(data->UserData) = data->EventKey == ImGuiKey_DownArrow ? 1 : -1;
    return 0;
}

/// Draws the entry's description, up to the right end; a tooltip has all of it.
void draw_what(const std::string& what) {
    const auto measure = [](const std::string& text, float, Font) {
        return ImGui::CalcTextSize(widgets::as_read(text).c_str()).x;
    };
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string text = shortened({.at = {}, .text = what}, room, measure);
    ImGui::TextDisabled("%s", widgets::as_read(text).c_str());
    if (text != what) widgets::tooltip(what.c_str());
}

}  // namespace

std::vector<std::size_t> find_entries(const std::vector<PaletteEntry>& entries,
                                      const std::string& query) {
    const std::string wanted = lower(query);
    std::vector<std::pair<int, std::size_t>> ranked;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const int rank = rank_entry(entries[i], wanted); rank >= 0) ranked.push_back({rank, i});
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::size_t> found;
    for (const auto& [rank, i] : ranked) found.push_back(i);
    return found;
}

void Palette::open(std::vector<PaletteEntry> entries) {
    entries_ = std::move(entries);
    query_.clear();
    found_ = find_entries(entries_, query_);
    at_ = 0;
    dialog_.open();
}

std::function<void()> Palette::draw(PanelContext& context) {
    const Dialog::Look look{
        .title = kFindTitle, .size = {620, 420}, .kind = Dialog::Kind::Form, .top = 60};
    if (!dialog_.begin(context, look)) return {};
    ImGui::SetNextItemWidth(-Dialog::kCross);
    if (ImGui::IsWindowAppearing()) compat::focus_next_item();
    int step = 0;
    const bool is_entered = ImGui::InputTextWithHint(
        "##find", "A command, a study, a setting, a node, a part, a matrix …", &query_,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, note_arrow,
        &step);
    widgets::name_item(context, "text Find");
    if (ImGui::IsItemEdited()) {
        found_ = find_entries(entries_, context.codes.decode(query_));
        at_ = 0;
    }
    widgets::draw_as_read_below(context, context.codes.decode(query_));
    if (step > 0 && at_ + 1 < std::min(found_.size(), kMostFound)) ++at_;
    if (step < 0 && at_ > 0) --at_;
    has_moved_ = step != 0;
    std::function<void()> chosen = draw_found(context);
    if (is_entered && at_ < found_.size()) chosen = entries_[found_[at_]].run;
    if (chosen) close();
    dialog_.end(context);
    return chosen;
}

std::function<void()> Palette::draw_found(PanelContext& context) {
    std::function<void()> chosen;
    if (found_.empty()) widgets::hint(context, kNothingFound);
    compat::begin_child("found", {0, 0}, compat::Border::No);
    const float kind_width = ImGui::CalcTextSize("comparison").x + 12;
    for (std::size_t k = 0; k < std::min(found_.size(), kMostFound); ++k) {
        const PaletteEntry& entry = entries_[found_[k]];
        ImGui::PushID(static_cast<int>(k));
        ImGui::TextDisabled("%s", entry.kind.c_str());
        ImGui::SameLine(kind_width);
        if (ImGui::Selectable("##entry", k == at_)) chosen = entry.run;
        widgets::name_item(context, "found " + entry.name);
        if (k == at_ && has_moved_) ImGui::SetScrollHereY(0.5f);
        ImGui::SameLine(kind_width);
        ImGui::TextUnformatted(widgets::as_read(entry.name).c_str());
        ImGui::SameLine(0, 10);
        draw_what(entry.what);
        ImGui::PopID();
    }
    ImGui::EndChild();
    return chosen;
}

void Palette::close() {
    dialog_.close();
    entries_.clear();
    found_.clear();
}

}  // namespace headlight
