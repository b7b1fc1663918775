// The window's questions about its studies' files: before it closes with unsaved work, and when
// another program has changed a file.
#pragma once

#include <optional>
#include <string>

#include "scene/workspace.h"
#include "ui/dialogs/changed_file_notice.h"
#include "ui/panel.h"

namespace headlight {

class StudyFiles {
  public:
    enum class Answer { None, Save, SaveAs, Overwrite, Reload, Close };

    /// About the study of that name; so many others are asked about after it.
    void ask_before_closing(const std::string& name, std::size_t n_others);
    /// The file has changed since it was read or written here.
    void ask_before_overwriting() { asks_ = Question::Overwriting; }
    bool asks() const { return asks_ != Question::None; }
    bool keeps_open() const { return asks_ == Question::Closing; }

    /// Checks the study's file now and then, and says at the top of `box` if another program has
    /// changed it.
    float draw_notice(PanelContext& context, Workspace& space, Box box);
    /// The answer to the notice or the question, once there is one.
    Answer draw_question(PanelContext& context, const Workspace& space);

  private:
    enum class Question { None, Closing, Overwriting };

    Question asks_ = Question::None;
    std::string closed_;  // what the question about closing says
    ChangedFileNotice changed_;
};

}  // namespace headlight
