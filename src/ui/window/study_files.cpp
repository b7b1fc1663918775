#include "ui/window/study_files.h"

#include <imgui.h>
#include <utility>

#include "io/files/file.h"
#include "ui/dialogs/file_question.h"
#include "ui/widgets/widgets.h"
#include "ui/window/notice.h"

namespace headlight {
namespace {

constexpr double kBetweenLooks_secs = 2;

constexpr QuestionChoice kClosing[] = {
    {"Save…", nullptr}, {"Close without saving", nullptr}, {"Stay", nullptr}};

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
    Answer answer = Answer::None;
    bool is_answered = false;
    if (asks_ == Question::Closing) {
        static constexpr Answer kAnswers[] = {Answer::Save, Answer::Close, Answer::None};
        const auto pressed = headlight::draw_question(context, "Unsaved work", closed_, kClosing);
        if (pressed) answer = kAnswers[*pressed];
        is_answered = pressed.has_value();
    } else if (asks_ == Question::Overwriting) {
        const auto pressed = draw_changed_file_question(context, space.file);
        if (pressed == ChangedFileAnswer::Overwrite) answer = Answer::Overwrite;
        if (pressed == ChangedFileAnswer::SaveAs) answer = Answer::SaveAs;
        if (pressed == ChangedFileAnswer::Reload) answer = Answer::Reload;
        is_answered = pressed.has_value();
    }
    if (is_answered) asks_ = Question::None;
    return answer;
}

}  // namespace headlight
