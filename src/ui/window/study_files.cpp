#include "ui/window/study_files.h"

#include "ui/dialogs/file_question.h"

namespace headlight {
namespace {

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

float StudyFiles::draw_notice(PanelContext& context, Workspace& space, Box box) {
    return changed_.draw(context,
                         {space.file, space.on_disk,
                          [&space] {
                              return space.file.extension() == ".headlight" &&
                                     is_changed(space.file, space.on_disk);
                          }},
                         box);
}

StudyFiles::Answer StudyFiles::draw_question(PanelContext& context, const Workspace& space) {
    if (changed_.take_reload()) return Answer::Reload;
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
