#include "ui/window/study_files.h"

#include <imgui.h>
#include <span>
#include <utility>

#include "io/files/file.h"
#include "ui/widgets/widgets.h"
#include "ui/window/notice.h"

namespace headlight {
namespace {

constexpr double kBetweenLooks_secs = 2;

/// A button, and what it stands for.
struct Choice {
    const char* label;
    const char* tooltip;
    StudyFiles::Answer answer;
};

/// The one that was pressed; the last one by Esc.
const Choice* draw_choices(PanelContext& context, std::span<const Choice> choices) {
    const Choice* pressed = compat::is_key_pressed(Key::Escape) ? &choices.back() : nullptr;
    for (const Choice& choice : choices) {
        if (&choice != choices.data()) ImGui::SameLine();
        if (widgets::button(context, choice.label, choice.tooltip)) pressed = &choice;
    }
    return pressed;
}

}  // namespace

void StudyFiles::ask_before_closing(const std::string& name, std::size_t n_others) {
    asks_ = Question::Closing;
    closed_ = "“" + name + "” has changes that are not saved.";
    if (n_others == 1) closed_ += "\nOne more study is asked about after it.";
    if (n_others > 1)
        closed_ += "\n" + std::to_string(n_others) + " more studies are asked about after it.";
}

/// Costs nothing while the file looks the same. The window is drawn when it comes to the front, so
/// a change made elsewhere is seen when the user comes back from there.
void StudyFiles::look(Workspace& space) {
    const double now = ImGui::GetTime();
    const bool is_same = space.file == file_ && space.on_disk.contents == known_;
    if (is_same && now < looked_at_ + kBetweenLooks_secs) return;
    looked_at_ = now;
    file_ = space.file;
    known_ = space.on_disk.contents;
    foreign_.reset();
    if (file_.extension() == ".headlight" && is_changed(file_, space.on_disk))
        foreign_ = read_stamp(file_).contents;
}

float StudyFiles::draw_notice(PanelContext& context, Workspace& space, Box box) {
    look(space);
    if (!foreign_ || foreign_ == dismissed_) return 0;
    const std::string text = path_text(space.file.filename()) + " was changed outside this window.";
    constexpr float kButtons = 150;
    begin_notice(context, text, box, kButtons);
    must_reload_ = widgets::button(context, "Reload", "As one step that can be undone");
    ImGui::SameLine();
    if (widgets::button(context, "Dismiss", "Saving asks before it overwrites"))
        dismissed_ = foreign_;
    end_notice();
    return notice_height(text, box.width, kButtons);
}

StudyFiles::Answer StudyFiles::draw_question(PanelContext& context, const Workspace& space) {
    if (std::exchange(must_reload_, false)) return Answer::Reload;
    if (asks_ == Question::None) return Answer::None;
    static constexpr Choice kClosing[] = {{"Save…", nullptr, Answer::Save},
                                          {"Close without saving", nullptr, Answer::Close},
                                          {"Stay", nullptr, Answer::None}};
    static constexpr Choice kOverwriting[] = {
        {"Overwrite", "Keeps the current file as a backup beside it", Answer::Overwrite},
        {"Save as…", nullptr, Answer::SaveAs},
        {"Reload", "Loads the current file, as one step that can be undone", Answer::Reload},
        {"Cancel", nullptr, Answer::None}};
    const bool is_closing = asks_ == Question::Closing;
    const char* title = is_closing ? "Unsaved work" : "Changed on disk";
    ImGui::OpenPopup(title);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    if (!ImGui::BeginPopupModal(title, nullptr,
                                ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove))
        return Answer::None;
    context.regions.begin_dialog();
    const std::string foreign =
        path_text(space.file.filename()) +
        " was changed by another program since it was opened or saved here.";
    ImGui::TextUnformatted(is_closing ? closed_.c_str() : foreign.c_str());
    ImGui::Dummy({0, 4});
    const Choice* pressed =
        draw_choices(context, is_closing ? std::span<const Choice>(kClosing) : kOverwriting);
    if (pressed) {
        asks_ = Question::None;
        ImGui::CloseCurrentPopup();
    }
    context.regions.end_popup();
    ImGui::EndPopup();
    return pressed ? pressed->answer : Answer::None;
}

}  // namespace headlight
