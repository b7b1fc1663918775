// All options of the view that is looked at, as a form: the list that the command line, lectures
// and captions read, with its help.
//
// Goals: an option that is added to the list is here as well. Not goals: the forms of panels, where
// what is changed most is nearer.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ui/panel.h"
#include "views/view_state.h"

namespace headlight {

class ViewOptionsForm {
  public:
    /// Opens in the next frame, over the right side of the window.
    void open() { must_open_ = true; }
    /// Called once a frame. Returns the words of the view with the change that was made; nothing if
    /// none was.
    std::optional<ViewWords> draw(PanelContext& context);
    /// Says, below the option, why the last change could not be made; its texts stay.
    void show_problem(const std::string& problem) {
        refused_ = changed_;
        problem_ = problem;
    }

  private:
    /// The texts of one option.
    struct Values {
        std::string option;
        std::vector<std::string> texts;
    };
    std::optional<ViewWords> draw_options(PanelContext& context);
    bool draw_option(PanelContext& context, const ViewOption& option,
                     std::vector<std::string>& values);
    bool draw_text(PanelContext& context, const std::string& name, const ViewOption& option,
                   std::string& value);

    bool must_open_ = false;
    Values changed_, refused_;                  // by the last change
    std::string problem_;                       // why it was refused
    std::map<std::string, std::string> typed_;  // texts that are not entered yet, by field
};

}  // namespace headlight
