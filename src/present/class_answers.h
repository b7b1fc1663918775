// The answers of a class to the tasks of a lecture, taken in from codes and files, and counted.
//
// Goals: what was not understood is said; the window and `headlight answers` count alike. Not
// goals: who answered, marks (answers.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "figure/theme.h"
#include "present/answer_code.h"
#include "present/page/page_figure.h"
#include "present/page/page_view.h"

namespace headlight {

/// The answers in one text or file, and what was not understood there.
struct CollectedAnswers {
    std::string file = {};  // its path; "": a text that was pasted
    std::string text = {};  // the text itself; "" of saved answers
    std::vector<ClassAnswer> answers = {};
    std::vector<std::string> others = {};    // codes of another lecture …
    std::vector<std::string> mistyped = {};  // … and those with a typing error
    std::string problem = {};                // says why the file has no answers; "": it has some

    bool has_nothing() const { return answers.empty() && others.empty() && mistyped.empty(); }
};

/// Finds the codes in a text.
CollectedAnswers collect_answers(const Lecture& lecture, std::string_view text);
/// Reads files: texts with codes, answers that were saved, and folders of both. Throws Error if a
/// folder cannot be read; a file that cannot be read has a problem.
std::vector<CollectedAnswers> collect_answers(const PageSource& source,
                                              const std::vector<std::filesystem::path>& paths);

/// Returns what was not understood: "4 codes are of another lecture, 2 have a typing error:
/// HL-23QK-B8, …"; "" if there is nothing.
std::string not_understood(const std::vector<CollectedAnswers>& collected);

/// The answers of the class to a lecture, by where they came from.
class ClassAnswers {
  public:
    /// A pasted text takes the place of what was pasted before, for each question that it answers,
    /// or is added. A file counts once, however often it is taken in. So does a chat that is copied
    /// anew with more answers, or pasted and saved: what holds all of an earlier text takes its
    /// place.
    enum class Pasted { Replaces, IsAdded };
    void take(const Lecture& lecture, const std::vector<CollectedAnswers>& collected,
              Pasted pasted);
    /// Forgets the answers to one page, or to all.
    void forget(std::size_t page);
    void clear() { sources_.clear(), ++version_; }

    /// Returns those to the question of that page, if it still asks the same.
    std::vector<ClassAnswer> answers_to(const Lecture& lecture, std::size_t page) const;
    bool is_empty() const { return sources_.empty(); }
    /// Returns another number after each change.
    std::size_t version() const { return version_; }

  private:
    struct Given {
        ClassAnswer answer;
        std::size_t question = 0;  // as CodeBook has it
    };
    struct Source {
        std::string file;
        std::string text;
        std::vector<Given> given;
        bool is_whole = true;  // none was forgotten
    };
    bool is_counted(const Source& source) const;
    std::vector<Source> sources_;
    std::size_t version_ = 1;
};

/// How often each answer was given to one page.
struct ClassCount {
    struct Bar {
        PageText label;
        int n = 0;
        bool is_right = false;  // of a range of numbers: some of it is
        int n_right = 0;
    };
    PageTask::Kind kind = PageTask::Kind::Choice;
    PageText question = {};
    std::vector<Bar> bars = {};
    /// The bars are ranges of numbers, which follow each other from `low` on; else each stands for
    /// itself. The first and the last can be all numbers below and above the others.
    struct Axis {
        double low = 0, step = 1;
        bool has_below = false, has_above = false;
    };
    std::optional<Axis> axis = {};
    std::optional<double> right_number = {};  // of a prediction, as the page is written …
    double within = 0;                        // … and how far it may be off
    int n_counted = 0;  // without those that were given after the right answer was shown
    int n_right = 0, n_shown = 0;
    std::string right = {};    // the right answer in words; "" of a goal
    std::string numbers = {};  // of a goal: the numbers that it is about
    std::string problem = {};  // says why no answer can be judged; "": they can
};
/// Judges the answers by the page as the lecture has it written. The page must have a task. Throws
/// Error if that cannot be read.
ClassCount count_class(const PageSource& source, std::size_t page,
                       const std::vector<ClassAnswer>& answers);

/// "183 answers; 3 more were given after the answer was shown and do not count"
std::string counted_words(const ClassCount& count);
/// "45 % right. Right: 0.25, within 0.05"
std::string revealed_words(const ClassCount& count);
int percentage(int n, int of);
/// "0.25", "−1200": with four digits, as a code has them, and no zeros at the end.
std::string short_number(double number);

struct ClassLook {
    Point size;
    float unit = 1;  // points to a point of a page that is kPageHeight high
    const Theme& theme;
    const MeasureText& measure;
    bool is_revealed = false;  // the right answer is marked
};
/// Draws the bars, or the columns over an axis of numbers, into that room.
Figure class_figure(const ClassCount& count, const ClassLook& look);

/// The slide of a page's class answers.
struct ClassPage {
    const std::string& title;
    const ClassCount& count;
    std::string said = {};    // below the picture: what was not understood
    std::string paste = {};   // … and the effect of the next paste
    std::string how_to = {};  // in place of the picture while there are no answers
    PageNumber number = {};
};
/// Draws it; the size of the look is that of the whole page.
Figure class_page_figure(const ClassPage& page, const ClassLook& look);

}  // namespace headlight
