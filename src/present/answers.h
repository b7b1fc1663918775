// The answers of one student to the tasks of a lecture: a small file that can be sent, and graded.
//
// Goals: the lecture judges again whether an answer is right; the file is not believed. Not goals:
// who the student is; secrecy.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "present/page/page_view.h"
#include "present/tasks/task.h"

namespace headlight {

struct GivenAnswer {
    std::string text;       // the choice, the number, the name, the order; of a goal: ""
    std::string change;     // of a goal: what was changed on the page's study, as one line of JSON
    bool is_shown = false;  // the right answer, or the solution, was shown before it was given
    std::string problem = {};  // why its entry in the file cannot be read; "": it can

    bool operator==(const GivenAnswer&) const = default;
};

/// Returns the name of a page in answers: its title, since pages may be moved and others put
/// between them; the second page of one title is "Title (2)".
std::string answer_name(const Lecture& lecture, std::size_t page);

using GivenAnswers = std::map<std::string, GivenAnswer>;

struct AnswerSheet {
    std::string lecture;  // its title
    GivenAnswers answers = {};
    std::string file = {};     // from which it was read, for notes
    std::string problem = {};  // "not readable": what its row says instead of answers

    bool operator==(const AnswerSheet&) const = default;
};

inline constexpr int kAnswersVersion = 1;

/// read_answers(write_answers(s)) == s, except for problems, which are not written. Notes name keys
/// that are not known and have no effect, and entries of tasks that are not as they must be, which
/// become answers with a problem. Throws Error with the line where there is no list of answers of
/// this version.
std::string write_answers(const AnswerSheet& sheet);
AnswerSheet read_answers(std::string_view bytes, const std::string& source_name,
                         std::vector<std::string>& notes);

/// The verdict on an answer on a page that is shown, where its study may have been changed.
struct PageVerdict {
    Verdict counted;   // of the page as the lecture has it written, as grade() judges it
    Verdict seen;      // of the study as it is now
    std::string said;  // both in words where they differ
};
/// Throws Error as judge() does for the page as it is written.
PageVerdict judge_on_page(const PageSource& source, const OpenPage& page, const PageTask& task,
                          const std::string& answer);

/// Returns only the verdict that counts. Throws Error as judge() does.
Verdict judge_as_written(const PageSource& source, std::size_t page, const PageTask& task,
                         const std::string& answer);

/// One task of a lecture, with the answers that all students gave.
struct GradedTask {
    std::string page, question;
    std::string right;                    // the right answer in words; of a goal: the condition
    std::vector<std::string> given = {};  // one for each student; "": nothing was answered
    std::vector<bool> is_right = {};

    int count_right() const;
    /// Returns how often each answer was given, the most frequent first.
    std::vector<std::pair<std::string, int>> histogram() const;
};

/// Grades all sheets by the pages as they are written, whatever a student changed on them. A sheet
/// with a problem has that problem for each answer, and none is right. Notes name answers to pages
/// that the lecture does not have, and files with an answer that cannot be judged. Where a page
/// itself is wrong, or its study cannot be computed, its answers "cannot be judged"; those to the
/// other pages are.
std::vector<GradedTask> grade(const PageSource& source, const std::vector<AnswerSheet>& sheets,
                              std::vector<std::string>& notes);

}  // namespace headlight
