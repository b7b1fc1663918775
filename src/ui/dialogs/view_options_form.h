// All options of the view that is looked at, as a form: the list that the command line, lectures
// and captions read, with its help.
//
// Goals: an option that is added to the list is here as well; a group of it, such as the colours of
// matrices, is the same form with fewer options. Not goals: the controls of panels, where what is
// changed most is nearer.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/dialogs/dialog.h"
#include "ui/panel.h"
#include "views/view_state.h"

namespace headlight {

class ViewOptionsForm {
  public:
    using Group = ViewOption::Group;

    /// Opens in the next frame: all options over the right side of the window; those of a group
    /// beside the large matrix, so that their changes are seen.
    void open(Group group = Group::None);
    void close() { dialog_.close(); }
    bool is_open() const { return dialog_.is_open(); }
    /// Called once a frame. Changes the colours of matrices at once, while a number is dragged,
    /// too. Returns the words of the view with any other change that was made; nothing if none was.
    std::optional<ViewWords> draw(PanelContext& context);
    /// Says, below the option, why the last change could not be made; its texts stay. Where the
    /// click that took them over has closed the form, it opens again.
    void show_problem(const std::string& problem) {
        refused_ = changed_;
        problem_ = problem;
        must_stay_ = true;
    }

  private:
    /// Matrices that have the same colours: all of a quantity, or A − B.
    struct Kind {
        std::string_view word;  // "probability", "difference"
        const Tensor* example;  // one of them
        PictureSettings* settings;
        Signs signs;
    };
    /// The texts of one option.
    struct Values {
        std::string option;
        std::vector<std::string> texts;
    };
    static std::vector<Kind> list_kinds(PanelContext& context);
    std::optional<Kind> choose_kind(PanelContext& context);
    bool begin(PanelContext& context);
    std::optional<ViewWords> draw_options(PanelContext& context);
    bool draw_option(PanelContext& context, const ViewOption& option, const std::string& idle,
                     const Kind* kind, std::vector<std::string>& values);
    bool draw_control(PanelContext& context, const ViewOption& option, const Kind* kind,
                      std::vector<std::string>& values);
    std::optional<ViewWords> draw_reset(PanelContext& context, const std::optional<Kind>& kind);
    bool draw_text(PanelContext& context, const std::string& name, const ViewOption& option,
                   std::string& value);

    Group group_ = Group::None;  // None: all options
    bool must_stay_ = false;     // open: a text was refused as a click beside it closed it
    Dialog dialog_;
    std::string kind_;  // the word of the matrices whose colours are set; "": of those shown
    Values changed_, refused_;                  // by the last change
    std::string problem_;                       // why it was refused
    std::map<std::string, std::string> typed_;  // texts that are not entered yet, by field
};

}  // namespace headlight
