#include "ui/dialogs/file_question.h"

#include <algorithm>
#include <imgui.h>
#include <string>
#include <utility>

#include "io/files/file.h"
#include "ui/dialogs/dialog.h"
#include "ui/widgets/widgets.h"
#include "ui/window/notice.h"

namespace headlight {

std::optional<std::size_t> draw_question(PanelContext& context, const char* title,
                                         const std::string& text,
                                         std::span<const QuestionChoice> choices) {
    Dialog dialog;
    dialog.open();
    const ImGuiStyle& style = ImGui::GetStyle();
    float buttons = 0;
    for (const QuestionChoice& choice : choices)
        buttons +=
            ImGui::CalcTextSize(choice.label).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
    const float words = ImGui::CalcTextSize(widgets::as_read(text).c_str()).x;
    const float width = std::max(words, buttons) + 2 * style.WindowPadding.x;
    if (!dialog.begin(context, {.title = title, .size = {width, 0}, .has_cross = false}))
        return std::nullopt;
    ImGui::TextUnformatted(
        widgets::wrapped_as_read(text, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::Dummy({0, 4});
    std::optional<std::size_t> pressed;
    for (std::size_t k = 0; k < choices.size(); ++k) {
        if (k > 0) widgets::same_line_if_fits(choices[k].label);
        if (widgets::button(context, choices[k].label, choices[k].tooltip)) pressed = k;
    }
    if (pressed) dialog.close();
    dialog.end(context);
    if (!pressed && !dialog.is_open()) pressed = choices.size() - 1;
    return pressed;
}

std::optional<ChangedFileAnswer> draw_changed_file_question(PanelContext& context,
                                                            const std::filesystem::path& file) {
    static constexpr QuestionChoice kChoices[] = {
        {"Overwrite", "Keeps the current file as a backup beside it"},
        {"Save as…", nullptr},
        {"Reload", "Loads the current file, as one step that can be undone"},
        {"Cancel", nullptr}};
    const std::string text = path_text(file.filename()) +
                             " was changed by another program since it was opened or saved here.";
    const auto pressed = draw_question(context, "Changed on disk", text, kChoices);
    if (!pressed) return std::nullopt;
    return static_cast<ChangedFileAnswer>(*pressed);
}

namespace {

constexpr double kBetweenLooks_secs = 2;

}  // namespace

/// Costs nothing while the file looks the same. The window is drawn when it comes to the front, so
/// a change made elsewhere is seen when the user comes back from there.
void ChangedFileNotice::look(const Open& open) {
    const double now = ImGui::GetTime();
    const bool is_same = open.file == file_ && open.known.contents == known_;
    if (is_same && now < looked_at_ + kBetweenLooks_secs) return;
    looked_at_ = now;
    file_ = open.file;
    known_ = open.known.contents;
    foreign_.reset();
    if (open.is_changed()) foreign_ = read_stamp(file_).contents;
}

float ChangedFileNotice::draw(PanelContext& context, const Open& open, Box box) {
    look(open);
    if (!foreign_ || foreign_ == dismissed_) return 0;
    std::string text = path_text(file_.filename()) + " was changed outside this window";
    text += foreign_ == unreadable_ ? ", and cannot be read: " + why_ : ".";
    constexpr float kButtons = 150;
    begin_notice(context, text, box, kButtons);
    must_reload_ = widgets::button(context, "Reload", "As one step that can be undone");
    ImGui::SameLine();
    if (widgets::button(context, "Dismiss", "Saving asks before it overwrites"))
        dismissed_ = foreign_;
    end_notice();
    return notice_height(text, box.width, kButtons);
}

bool ChangedFileNotice::take_reload() {
    return std::exchange(must_reload_, false);
}

void ChangedFileNotice::cannot_read(const std::filesystem::path& file, std::string why) {
    unreadable_ = read_stamp(file).contents;
    why_ = std::move(why);
    dismissed_.reset();
    known_.reset();  // it is looked at anew
}

}  // namespace headlight
