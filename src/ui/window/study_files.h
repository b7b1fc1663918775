// What the window asks about the files of its studies: before it closes with unsaved work, and when
// somebody else has changed a file.
#pragma once

#include <optional>

#include "scene/workspace.h"
#include "ui/panel.h"

namespace headlight {

class StudyFiles {
  public:
    enum class Answer { None, Save, SaveAs, Overwrite, Reload, Close };

    void ask_before_closing() { asks_ = Question::Closing; }
    /// The file is not any more as it was read or written here.
    void ask_before_overwriting() { asks_ = Question::Overwriting; }
    bool keeps_open() const { return asks_ == Question::Closing; }

    /// Looks at the file of the study now and then, and says at the top of `box` that somebody else
    /// has changed it.
    float draw_notice(PanelContext& context, Workspace& space, Box box);
    /// The answer to the notice or to what was asked, when there is one.
    Answer draw_question(PanelContext& context, const Workspace& space);

  private:
    enum class Question { None, Closing, Overwriting };

    void look(Workspace& space);

    Question asks_ = Question::None;
    bool must_reload_ = false;
    // The last look at a file: when, on ImGui's clock, at which, and what was known of it.
    double looked_at_ = 0;
    std::filesystem::path file_;
    std::optional<std::uint64_t> known_;

    std::optional<std::uint64_t> foreign_;    // contents that somebody else has written
    std::optional<std::uint64_t> dismissed_;  // of these, what the user knows of
};

}  // namespace headlight
