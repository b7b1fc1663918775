// Codes of answers: what they hold, typing errors, chats; and how the answers of a class count.
#include "present/class_answers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "core/error.h"
#include "figure/theme.h"
#include "io/files/file.h"
#include "present/answer_code.h"
#include "present/answers.h"
#include "temporary_folder.h"
#include "text/strings.h"
#include "written_lecture.h"

using namespace headlight;

namespace {

using Is = CodeBook::Found::Is;

const std::string kSignsOfCodes = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
constexpr std::size_t kOnChoice = 0, kOnNumber = 1, kOnGoal = 2, kOnOrder = 3;

std::vector<std::string> task_blocks() {
    return {"task: Which one?\nchoice: cat\nright: dog\nchoice: cow",
            kWho + "\ntask: How much?\npredict: pattern[it, cat]\nwithin: 0.1",
            kWho + "\ntask: More\ngoal: pattern[it, cat] > 0.99 and 1 = 1",
            kWho + "\ntask: Order\norder: [3, 1, 2]"};
}

PageTask task_of(const TestLecture& test, std::size_t page) {
    return read_task(test.lecture.pages[page], "t").value();
}

std::string code_of(const TestLecture& test, const ClassAnswer& answer) {
    return write_code(test.lecture.title, task_of(test, answer.page), answer);
}

/// One answer of each kind, and of each sign and size of a number.
std::vector<ClassAnswer> many_answers() {
    std::vector<ClassAnswer> answers;
    for (const bool is_shown : {false, true}) {
        for (std::size_t choice = 0; choice < 3; ++choice)
            answers.push_back({.page = kOnChoice, .choice = choice, .is_shown = is_shown});
        for (const double number : {0.0, 0.25, -0.25, 1.0, 9999.0, -123456.0, 1e-9, 3.14159e11})
            answers.push_back({.page = kOnNumber, .number = number, .is_shown = is_shown});
        for (const bool is_reached : {false, true}) {
            answers.push_back({.page = kOnGoal, .is_reached = is_reached, .is_shown = is_shown});
            for (const double number : {0.0, 0.993, -12.0})
                answers.push_back({.page = kOnGoal,
                                   .number = number,
                                   .is_reached = is_reached,
                                   .is_shown = is_shown});
        }
    }
    return answers;
}

ClassLook look_of(const MeasureText& measure) {
    return {.size = {1280, 700},
            .unit = 1.4f,
            .theme = theme_named(ThemeName::Light),
            .measure = measure};
}

}  // namespace

TEST_CASE("answer codes: every answer comes back from its code") {
    const TestLecture test(task_blocks());
    const CodeBook book(test.lecture);
    for (const ClassAnswer& answer : many_answers()) {
        const std::string code = code_of(test, answer);
        INFO(code);
        const auto found = book.find(code);
        REQUIRE(found.size() == 1);
        CHECK(found[0].is == Is::Answer);
        CHECK(found[0].code == code);
        const ClassAnswer& read = found[0].answer;
        CHECK(read.page == answer.page);
        CHECK(read.choice == answer.choice);
        CHECK(read.is_reached == answer.is_reached);
        CHECK(read.is_shown == answer.is_shown);
        REQUIRE(read.number.has_value() == answer.number.has_value());
        if (answer.number) {
            const double digits = answer.page == kOnGoal ? 1e-2 : 1e-3;
            CHECK(std::abs(*read.number - *answer.number) <=
                  0.5001 * digits * std::abs(*answer.number));
            CHECK(std::abs(*read.number - *answer.number) <= read.rounding + 1e-15);
        }
    }
    CHECK(code_of(test, {.page = kOnChoice, .choice = 1}).size() == 10);
}

TEST_CASE("answer codes: words, orders and numbers without end have none") {
    const TestLecture test(task_blocks());
    CHECK(code_of(test, {.page = kOnOrder, .words = "0, 2, 1"}).empty());
    CHECK(code_of(test, {.page = kOnNumber, .words = "cat"}).empty());
    CHECK(code_of(test, {.page = kOnNumber}).empty());
    CHECK(code_of(test, {.page = kOnNumber, .number = 1e13}).empty());
    CHECK(code_of(test, {.page = kOnNumber, .number = INFINITY}).empty());
    CHECK(code_of(test, {.page = kOnChoice, .choice = 3}).empty());
    CHECK_FALSE(can_have_code(task_of(test, kOnOrder)));
}

TEST_CASE("answer codes: every wrong sign and every swap of neighbours is noticed") {
    const TestLecture test(task_blocks());
    const CodeBook book(test.lecture);
    int n_wrong = 0;
    const auto check_noticed = [&](const std::string& wrong, const std::string& code) {
        if (wrong == code) return;
        ++n_wrong;
        INFO(code << " as " << wrong);
        const auto found = book.find(wrong);
        REQUIRE(found.size() == 1);
        CHECK(found[0].is == Is::Mistyped);
    };
    for (const ClassAnswer& answer : many_answers()) {
        const std::string code = code_of(test, answer);
        for (std::size_t at = 3; at < code.size(); ++at) {
            if (code[at] == '-') continue;
            for (const char sign : kSignsOfCodes + "01OIL") {
                std::string wrong = code;
                wrong[at] = sign;
                check_noticed(wrong, code);
            }
            const std::size_t next = at + 1 < code.size() && code[at + 1] == '-' ? at + 2 : at + 1;
            if (next >= code.size()) continue;
            std::string swapped = code;
            std::swap(swapped[at], swapped[next]);
            check_noticed(swapped, code);
        }
        for (const std::string& other :
             {"X" + code.substr(1), code.substr(3), "#" + code.substr(3)}) {
            const auto found = book.find(other);  // the rest tells enough
            REQUIRE(found.size() == 1);
            CHECK(found[0].code == code);
        }
    }
    CHECK(n_wrong > 10'000);
}

TEST_CASE("answer codes: those of another lecture, or of a changed question, are told apart") {
    const TestLecture test(task_blocks());
    std::string text = lecture_text(task_blocks());
    const auto is_in = [&](const std::string& changed) {
        const Lecture lecture = read_lecture(changed, "t");
        const auto found = CodeBook(lecture).find(code_of(test, {.page = kOnChoice, .choice = 1}));
        REQUIRE(found.size() == 1);
        return found[0].is;
    };
    CHECK(is_in(text) == Is::Answer);
    CHECK(is_in(replaced_all(text, "# Test\n", "# Other\n")) == Is::Other);
    CHECK(is_in(replaced_all(text, "choice: cow", "choice: crow")) == Is::Other);
    CHECK(is_in(replaced_all(text, "Which one?", "Which?")) == Is::Other);
    // The title of a page, and which choice is right, may be corrected after codes were sent.
    CHECK(is_in(replaced_all(text, "## Page", "## Other page")) == Is::Answer);
    CHECK(is_in("# Nothing\n\n## Page\n") == Is::Other);
}

TEST_CASE("answer codes: they are found in a chat") {
    const TestLecture test(task_blocks());
    const CodeBook book(test.lecture);
    const std::string dog = code_of(test, {.page = kOnChoice, .choice = 1});
    const std::string half = code_of(test, {.page = kOnNumber, .number = 0.5});
    std::string small = dog;
    std::ranges::transform(small, small.begin(),
                           [](char c) { return static_cast<char>(std::tolower(c)); });
    const auto with = [&](const std::string& between) { return replaced_all(dog, "-", between); };
    const auto count = [&](const std::string& text, Is is) {
        return std::ranges::count(book.find(text), is, &CodeBook::Found::is);
    };
    const std::string chat = "[10:31] Ana Lima: " + dog + "\n[10:31] Ben 🎉: my answer is 👉" +
                             small + "👈, I hope\n10:32 — Cleo:" + dog + "; " + half + " " + half +
                             ".\n<b>" + dog + "</b> “" + half + "”\r\n\r\nDan\r\n" + dog +
                             "\r\nEve: HL, see HLS and the HL-Seminar, HLSL-2345\n";
    CHECK(count(chat, Is::Answer) == 8);
    CHECK(book.find(chat).size() == 8);
    for (const char* between : {"–", "—", "‑", "_", " - ", " – ", "-\n", "\n", " ", "\u00a0", ""}) {
        INFO("between: " << between);
        CHECK(count("Ana: " + with(between) + " x", Is::Answer) == 1);
    }
    std::string torn = dog;
    torn.insert(5, "\u200b").insert(0, "\ufeff");
    CHECK(count(torn, Is::Answer) == 1);
    // One part of a code is a typing error, and does not take the next code with it.
    CHECK(count(dog.substr(0, 7) + "\nBen: " + dog, Is::Mistyped) == 1);
    CHECK(count(dog.substr(0, 7) + "\nBen: " + dog, Is::Answer) == 1);
    CHECK(count(dog + "7", Is::Mistyped) == 1);
    CHECK(count("HL 2345 67 is a postal code", Is::Mistyped) == 0);
    CHECK(book.find("").empty());
    CHECK(book.find("HL").empty());
    CHECK(book.find("HL-").empty());
}

TEST_CASE("class answers: choices, numbers and goals are counted by the page as it is written") {
    const TestLecture test(task_blocks());
    std::vector<ClassAnswer> answers;
    const auto give = [&](int n, const ClassAnswer& answer) {
        answers.insert(answers.end(), n, answer);
    };
    give(7, {.page = kOnChoice, .choice = 1});
    give(3, {.page = kOnChoice, .choice = 0});
    give(2, {.page = kOnChoice, .choice = 1, .is_shown = true});
    const ClassCount choices = count_class(test.source, kOnChoice, answers);
    REQUIRE(choices.bars.size() == 3);
    CHECK(choices.bars[0].n == 3);
    CHECK(choices.bars[1].n == 7);
    CHECK(choices.bars[2].n == 0);
    CHECK(choices.bars[1].is_right);
    CHECK_FALSE(choices.bars[0].is_right);
    CHECK(choices.n_counted == 10);
    CHECK(choices.n_shown == 2);
    CHECK(counted_words(choices) ==
          "10 answers; 2 more were given after the answer was shown and do not count");
    CHECK(revealed_words(choices) == "7 of 10 right");

    answers.clear();
    give(4, {.page = kOnNumber, .number = 0.95});
    give(2, {.page = kOnNumber, .number = 0.1});
    give(1, {.page = kOnNumber, .number = 1});
    const ClassCount numbers = count_class(test.source, kOnNumber, answers);
    REQUIRE(numbers.bars.size() == 3);
    CHECK(plain_text(numbers.bars[0].label) == "0.1");
    CHECK(numbers.bars[0].n == 2);
    CHECK(numbers.bars[1].n == 4);
    CHECK(numbers.bars[1].is_right);
    CHECK(numbers.n_right == 5);
    CHECK_FALSE(numbers.axis);

    answers.clear();
    give(5, {.page = kOnGoal, .number = 0.995, .is_reached = true});
    give(3, {.page = kOnGoal, .number = 0.4});
    const ClassCount goals = count_class(test.source, kOnGoal, answers);
    REQUIRE(goals.bars.size() == 2);
    CHECK(goals.bars[0].n == 5);
    CHECK(goals.bars[1].n == 3);
    CHECK(goals.numbers.find("from 0.4 to 0.995") != std::string::npos);
}

TEST_CASE("class answers: many different numbers have columns, and far ones the ends") {
    const TestLecture test(task_blocks());
    std::vector<ClassAnswer> answers;
    for (int k = 0; k < 60; ++k) answers.push_back({.page = kOnNumber, .number = 0.5 + 0.01 * k});
    answers.push_back({.page = kOnNumber, .number = 1e9});
    answers.push_back({.page = kOnNumber, .number = -1e9});
    const ClassCount count = count_class(test.source, kOnNumber, answers);
    REQUIRE(count.axis);
    CHECK(count.axis->has_below);
    CHECK(count.axis->has_above);
    CHECK(count.axis->step < 0.2);
    CHECK(count.bars.front().n == 1);
    CHECK(count.bars.back().n == 1);
    int n = 0;
    for (const ClassCount::Bar& bar : count.bars) n += bar.n;
    CHECK(n == 62);
    CHECK(std::ranges::any_of(count.bars, &ClassCount::Bar::is_right));
    const MeasureText measure = [](const std::string& text, float size, Font) {
        return 0.5f * size * static_cast<float>(text.size());
    };
    ClassLook look = look_of(measure);
    const auto count_marks = [&] { return class_figure(count, look).marks.size(); };
    const std::size_t before = count_marks();
    look.is_revealed = true;
    CHECK(count_marks() > before);  // the interval is marked
}

TEST_CASE("class answers: numbers have four digits and no zeros at the end") {
    CHECK(short_number(0) == "0");
    CHECK(short_number(0.25) == "0.25");
    CHECK(short_number(-1200) == "−1200");
    CHECK(short_number(123456) == "123456");
    CHECK(short_number(0.33333) == "0.3333");
    CHECK(short_number(1e12) == "1e+12");
}

TEST_CASE("class answers: only a reveal marks the right choice") {
    const TestLecture test(task_blocks());
    const ClassCount count =
        count_class(test.source, kOnChoice, {{.page = kOnChoice, .choice = 0}});
    const MeasureText measure = [](const std::string& text, float size, Font) {
        return 0.5f * size * static_cast<float>(text.size());
    };
    ClassLook look = look_of(measure);
    const auto has_mark = [&] {
        return std::ranges::any_of(class_figure(count, look).marks, [](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text == "✓";
        });
    };
    CHECK_FALSE(has_mark());
    look.is_revealed = true;
    CHECK(has_mark());
}

TEST_CASE("class answers: a paste replaces the one before for its questions, unless it is added") {
    using Pasted = ClassAnswers::Pasted;
    const TestLecture test(task_blocks());
    const std::string dog = code_of(test, {.page = kOnChoice, .choice = 1});
    const std::string half = code_of(test, {.page = kOnNumber, .number = 0.5});
    ClassAnswers answers;
    const auto paste = [&](const std::string& text, Pasted pasted) {
        answers.take(test.lecture, {collect_answers(test.lecture, text)}, pasted);
    };
    const auto count = [&](std::size_t page) {
        return answers.answers_to(test.lecture, page).size();
    };
    paste(dog + " " + dog + " " + half, Pasted::Replaces);
    CHECK(count(kOnChoice) == 2);  // two students gave the same answer
    paste(dog + " " + dog + " " + dog, Pasted::Replaces);
    CHECK(count(kOnChoice) == 3);
    CHECK(count(kOnNumber) == 1);
    paste(dog, Pasted::IsAdded);
    CHECK(count(kOnChoice) == 4);
    answers.forget(kOnChoice);
    CHECK(count(kOnChoice) == 0);
    CHECK(count(kOnNumber) == 1);
    const Lecture other = read_lecture(
        replaced_all(lecture_text(task_blocks()), "How much?", "How much is it?"), "t");
    CHECK(answers.answers_to(other, kOnNumber).empty());
}

TEST_CASE("class answers: a chat that is copied again, or pasted and saved, counts once") {
    using Pasted = ClassAnswers::Pasted;
    const TestLecture test(task_blocks());
    const std::string dog = code_of(test, {.page = kOnChoice, .choice = 1});
    const std::string chat = "10:31 Ana: " + dog + "\n10:32 Ben: " + dog + "\n";
    ClassAnswers answers;
    const auto take = [&](const std::string& text, const std::string& file) {
        CollectedAnswers collected = collect_answers(test.lecture, text);
        collected.file = file;
        answers.take(test.lecture, {collected}, Pasted::IsAdded);
        return answers.answers_to(test.lecture, kOnChoice).size();
    };
    CHECK(take(chat, "") == 2);
    CHECK(take(chat + "10:33 Cleo: " + dog, "") == 3);
    CHECK(take(chat + "10:33 Cleo: " + dog + "\n10:34 Dan: " + dog, "/chat.txt") == 4);
    CHECK(take(chat, "") == 4);
    CHECK(take("10:35 Eve: " + dog, "") == 5);
    // A code by itself is another student's each time.
    CHECK(take(dog, "") == 6);
    CHECK(take(dog, "") == 7);
    CHECK(take(dog, "/fay.txt") == 8);
    answers.forget(kOnChoice);
    CHECK(take(chat, "") == 2);
    // Answers to another page that stand in the same chat are not counted anew.
    answers.clear();
    const std::string half = code_of(test, {.page = kOnNumber, .number = 0.5});
    for (int k = 0; k < 2; ++k) {
        CHECK(take(chat + "10:36 Ana: " + half, "") == 2);
        CHECK(answers.answers_to(test.lecture, kOnNumber).size() == 1);
        answers.forget(kOnChoice);
    }
}

TEST_CASE("class answers: texts, saved answers and folders are taken in, each file once") {
    using Pasted = ClassAnswers::Pasted;
    const TestLecture test(task_blocks());
    const TemporaryFolder folder;
    const std::string dog = code_of(test, {.page = kOnChoice, .choice = 1});
    std::string wrong = dog;
    wrong.back() = wrong.back() == '2' ? '3' : '2';
    folder.with("chat.txt", "Ana: " + dog + "\nBen: " + dog + "\nCleo: " + wrong + "\n");
    folder.with("dan.answers", write_answers({"Test",
                                              {{"Page", {"cat", ""}},
                                               {"Page (2)", {"95 %", ""}},
                                               {"Page (3)", {"", ""}},
                                               {"Page (4)", {"0, 2, 1", ""}}}}));
    folder.with("eve.answers", write_answers({"Another", {{"Page", {"cat", ""}}}}));
    folder.with("notes.pdf", dog);
    const auto collected = collect_answers(test.source, {folder.file("")});
    CHECK(collected.size() == 3);
    CHECK(not_understood(collected).find("1 code has a typing error: " + wrong) == 0);
    CHECK(not_understood(collected).find("is of the lecture 'Another'") != std::string::npos);
    ClassAnswers answers;
    for (int k = 0; k < 2; ++k) answers.take(test.lecture, collected, Pasted::IsAdded);
    const auto count_on = [&](std::size_t page) {
        return count_class(test.source, page, answers.answers_to(test.lecture, page));
    };
    CHECK(count_on(kOnChoice).bars[1].n == 2);
    CHECK(count_on(kOnChoice).bars[0].n == 1);
    CHECK(count_on(kOnNumber).n_right == 1);
    CHECK(count_on(kOnGoal).bars[1].n == 1);
    const ClassCount order = count_on(kOnOrder);
    REQUIRE(order.bars.size() == 1);
    CHECK(plain_text(order.bars[0].label) == "0, 2, 1");
    CHECK(order.bars[0].is_right);
    std::filesystem::create_directory(folder.file("empty"));
    CHECK_THROWS_AS(collect_answers(test.source, {folder.file("empty")}), Error);
    CHECK_FALSE(collect_answers(test.source, {folder.file("none.txt")})[0].problem.empty());
}
