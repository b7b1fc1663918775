// Short codes of answers, with which a class answers without a server: HL-23QK-B7.
//
// Goals: the answer is in the code, so that a copied chat is enough; a typing error is noticed, and
// so is a code of another lecture. Not goals: who answered; secrecy; answers in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "present/lecture.h"
#include "present/tasks/task.h"

namespace headlight {

/// One answer of a class, to the task of a page.
struct ClassAnswer {
    std::size_t page = 0;               // from 0
    std::size_t choice = 0;             // its place among the choices
    std::optional<double> number = {};  // a prediction; of a goal, goal_number()
    double rounding = 0;                // the number may be so far off: a code has four digits
    bool is_reached = false;            // of a goal
    bool is_shown = false;              // the right answer, or the solution, was shown before
    std::string words = {};             // a name or an order, which no code can hold

    bool operator==(const ClassAnswer&) const = default;
};

// A code is "HL-" and its signs: two of the page, two of its question, then the answer and a check
// sign. A sign is a digit or a letter without 0 and O, 1, I and L, which makes 31, a prime: the
// weighted sum of all signs is 0 modulo 31, so that every wrong sign and every swap of two
// neighbours is noticed. The answer has one or two signs for a choice, and four for a number
// (four digits) or a goal (whether it is reached, and three digits).

/// Returns the code of an answer to that task; "" if there is none: for words and orders, and a
/// number beyond 10¹².
std::string write_code(const std::string& lecture_title, const PageTask& task,
                       const ClassAnswer& answer);

/// True if answers to the task can have a code. A prediction has one if a number is asked for,
/// which its study decides.
bool can_have_code(const PageTask& task);

/// Reads codes of one lecture.
class CodeBook {
  public:
    explicit CodeBook(const Lecture& lecture);

    struct Found {
        enum class Is {
            Answer,
            Other,    // of another lecture, or of a question that is not in it any more
            Mistyped  // a typing error
        } is = Is::Mistyped;
        std::string code;  // "HL-23QK-B7"
        ClassAnswer answer = {};
    };
    /// Finds all codes in a text, such as a copied chat: in small letters as well, with any dash or
    /// a line end between their parts. What only looks like one, as without its dashes or its "HL",
    /// is found if it is right.
    std::vector<Found> find(std::string_view text) const;

    /// Returns a number that stands for the question of a page; another question has another one.
    /// It is absent without a task.
    std::optional<std::size_t> question(std::size_t page) const;

  private:
    struct Asked {
        PageTask::Kind kind = PageTask::Kind::Choice;
        std::size_t n_choices = 0;
        std::size_t question = 0;
    };
    Found read(const std::string& signs) const;

    std::vector<std::optional<Asked>> pages_;
};

}  // namespace headlight
