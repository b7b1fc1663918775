// A page of a lecture, drawn and alive: its text with the current numbers, its view under the
// pointer, its sliders, its task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "present/answers.h"
#include "present/open_lecture.h"
#include "ui/pictures/cell_pointer.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/graph_canvas.h"
#include "ui/presentation/presentation.h"

namespace headlight {

class PageCanvas {
  public:
    explicit PageCanvas(Prediction& prediction) : prediction_(prediction) {}

    /// Draws into the current ImGui window, in `box` of the window's points. The context is of the
    /// workspace in which the page is open.
    void draw(PanelContext& context, const OpenLecture& lecture, Box box);

    /// Begins all tasks anew, as in a lecture that was just opened.
    void forget_answers() { answers_.clear(), cleared_.clear(); }
    /// Begins all tasks anew, but the answers can be brought back where nothing else was answered
    /// since.
    void clear_answers() { cleared_ = std::exchange(answers_, {}); }
    void bring_answers_back();
    bool has_cleared_answers() const { return !cleared_.empty(); }
    bool has_answers() const { return count_answers() > 0; }
    std::ptrdiff_t count_answers() const;
    /// Returns the answers that were given so far.
    AnswerSheet answer_sheet(const OpenLecture& lecture) const;

    /// Returns the code of the answer to the chosen page, for the class; "" if nothing was
    /// answered, or the answer has none.
    std::string answer_code(const OpenLecture& lecture) const;
    /// The page says that this code was copied, until the answer is another one.
    void mark_copied(const std::string& code) { copied_code_ = code; }

    /// Sets the share of the matrix's rows that is seen, while they appear one after another.
    void set_appeared(float share) { appeared_ = share; }

    // Keys call these.
    void show_hint();
    void show_answer();
    /// Gives the keyboard to the field of the answer.
    void type_answer() { wants_keyboard_ = true; }

    /// Returns the matrix that a prediction can cover; null if the page shows none, or its task
    /// covers it.
    static const Tensor* predictable(const OpenLecture::Shown& shown);
    /// True if its task covers the matrix of the page.
    bool is_covered(const OpenLecture::Shown& shown) const;

  private:
    struct Answer {
        std::string text;                // as it stands in the field, or of the choice
        std::optional<Verdict> verdict;  // of the last answer that was given, as it counts
        Verdict counted = {};            // the same, without what is said of a changed study
        std::string given = {};          // the answer that was given last
        std::uint64_t version = 0;       // the version of the lecture when it was judged
        std::shared_ptr<const Document> right_of = {};  // the study of which it was right
        int n_hints = 0;                                // that are shown
        bool is_shown = false;    // the right answer; of a goal: the solution is asked for
        bool was_shown = false;   // … before the answer was given, or the goal was reached
        std::string change = {};  // of a goal: the study's, when it was reached last
        std::optional<double> number = {};  // of a goal: the one that it is about
        bool has_code = false;              // a number, where one is asked for, or a choice
        std::uint64_t opening = 0;          // of the page, when help was given

        bool is_begun() const {
            return !text.empty() || !change.empty() || n_hints > 0 || is_shown || was_shown;
        }
    };

    std::string draw_shown(PanelContext& context, const OpenLecture::Shown& shown, Box box,
                           float unit);
    /// Returns a text about what had no room in the view.
    std::string draw_view(PanelContext& context, const OpenLecture::Shown& shown, Box box,
                          float unit);
    std::string draw_matrix(PanelContext& context, Box box, float unit, bool is_covered);
    /// The parts and the height of the page's task in its card, of a given width.
    struct TaskPlace {
        TaskText text = {};  // with the names that are to be put in order as choices
        TaskPicture picture = {};
        float field_width = 0, buttons_width = 0,
              row_height = 0;         // of the row with the field and the buttons
        float height = 0;             // of the card with the gap above it
        bool is_said_beside = false;  // the verdict stands in that row
    };

    /// Lays out the task in the place of a text beside the view, only where it has room.
    TaskPlace lay_out_beside(PanelContext& context, const OpenLecture::Shown& shown, Point size);
    void draw_below(PanelContext& context, const OpenLecture& lecture, const TaskPlace& task,
                    Box box, float unit);
    void draw_controls(PanelContext& context, const std::vector<PageControl>& controls, Box box,
                       float unit);
    void draw_control(PanelContext& context, const PageControl& control, float width);
    void draw_typed_text(PanelContext& context, float width);
    TaskPlace lay_out_task(PanelContext& context, const OpenLecture::Shown& shown, float width,
                           float unit);
    void draw_task(PanelContext& context, const OpenLecture& lecture, const TaskPlace& place,
                   Box box, float unit);
    /// Judges whether a goal is reached now, and notes the change that reaches it.
    void follow_goal(const OpenLecture& lecture);
    /// Returns the choice that was pressed, with the pointer or by its number.
    std::optional<std::size_t> draw_choices(PanelContext& context, const PageTask& task,
                                            const TaskPlace& place, Point at);
    /// Judges the answer.
    void give(const OpenLecture& lecture, const std::string& text);
    void take_choice(const TaskPlace& place, const OpenLecture& lecture, std::size_t choice);
    void draw_field(PanelContext& context, const OpenLecture& lecture, const TaskPlace& place);
    void draw_help(PanelContext& context, const PageTask& task);
    /// Returns verdict, answer and hints in lines of that width.
    Figure said_figure(PanelContext& context, const OpenLecture::Shown& shown,
                       const TaskPlace& place, const TaskLook& look) const;
    void begin_anew(const OpenLecture& lecture);
    void judge_again(const OpenLecture& lecture, Answer& given) const;
    /// True if there is a button for the answer or the solution.
    bool offers_answer(const PageTask& task);
    /// Draws the code of the answer, with a button that copies it, or says why there is none.
    void draw_code(PanelContext& context, const std::string& words, Box box, float unit);
    /// Returns the words for the code of the given answer; "" if nothing was answered.
    std::string code_words(const OpenLecture& lecture) const;
    Answer& answer() { return answers_[at_]; }

    CellPointer cells_;
    GraphCanvas graph_;
    ComparisonCanvas compared_;
    std::map<std::size_t, Answer> answers_, cleared_;  // by page
    std::size_t at_ = 0;
    struct Placing {
        std::size_t page = 0;
        std::uint64_t opening = 0;
        Point size = {};
        PageArrangement arrangement = PageArrangement::TextAbove;

        bool is_of(const Placing& now) const {
            return page == now.page && opening == now.opening && size.x == now.size.x &&
                   size.y == now.size.y;
        }
    };
    /// Returns the arrangement to keep: while a page is open, no hint or number moves anything.
    std::optional<PageArrangement> kept_arrangement(const Placing& now) const;
    std::optional<Placing> placing_;  // of the page that was drawn last
    float appeared_ = 1;
    bool wants_keyboard_ = false;  // the field of the answer
    Prediction& prediction_;
    std::string typed_text_;   // of the control for the text
    std::string copied_code_;  // of an answer; "": none was
};

class ClassSlide;

/// Returns the chosen page of a lecture as a slide, or the answers of the class to it. The
/// arguments outlive it.
Slide lecture_slide(PanelContext& context, const OpenLecture& lecture, PageCanvas& page,
                    ClassSlide& of_class, const Prediction& prediction);

}  // namespace headlight
