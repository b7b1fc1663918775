#include "lecture/file/lecture_history.h"

#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <utility>

#include "core/error.h"

namespace headlight::lecture_history_test {
namespace {

LectureStep step(const std::string& label, const std::string& text) {
    Lecture lecture = read_lecture("# Mine\n\n## A\n\n## B\n", "t");
    lecture.pages[0].text = text;
    return {label, std::make_shared<const Lecture>(std::move(lecture))};
}

void check_same(const LectureHistory& a, const LectureHistory& b) {
    REQUIRE(a.steps.size() == b.steps.size());
    CHECK(a.at == b.at);
    for (std::size_t k = 0; k < a.steps.size(); ++k) {
        CAPTURE(k);
        CHECK(a.steps[k].label == b.steps[k].label);
        CHECK(*a.steps[k].lecture == *b.steps[k].lecture);
    }
}

std::string message_of(const std::string& bytes) {
    try {
        read_lecture_history(bytes, "left");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a lecture's history is read as it was written, whatever was undone") {
    LectureHistory history{{step("", "")}, 0};
    LectureHistoryWriter writer;
    for (const char* text : {"größe", "grün", "→ ⟨x⟩ → \"quoted\"\nsecond", "", "größe"})
        history.steps.push_back(step(std::string("Type ") + text, text));
    for (history.at = 0; history.at < history.steps.size(); ++history.at) {
        const KeptLecture kept =
            read_lecture_history(writer.write(history, "/a b/mine.lecture", 3), "left");
        check_same(kept.history, history);
        CHECK(kept.file == "/a b/mine.lecture");
        CHECK(kept.page == 3);
    }
}

TEST_CASE("a lecture's history has every blank that was typed, at either end of a text") {
    LectureHistory history{{step("", "")}, 0};
    for (const char* text : {"a ", "a  \n\n", "\n\n a", " ", "a\n \t", "", "a\r\nb\r", "## a "})
        history.steps.push_back(step(text, text));
    Lecture other = *history.steps.back().lecture;
    other.title = "Mine  ", other.text = "below \n", other.pages[1].title = " B ";
    other.pages[1].notes = "\nsay \n";
    history.steps.push_back({"Type", std::make_shared<const Lecture>(std::move(other))});
    for (history.at = 0; history.at < history.steps.size(); ++history.at)
        check_same(read_lecture_history(LectureHistoryWriter().write(history, ""), "left").history,
                   history);
}

TEST_CASE("a history that is written again and again is the same as one written at once") {
    LectureHistory history{{step("", "")}, 0};
    LectureHistoryWriter writer;
    const auto check = [&] {
        const std::string text = writer.write(history, "");
        check_same(read_lecture_history(text, "left").history, history);
        CHECK(text == LectureHistoryWriter().write(history, ""));
    };
    check();
    for (int k = 0; k < 20; ++k) {
        history.steps.push_back(step("Type", std::string(static_cast<std::size_t>(k), 'a')));
        history.at = history.steps.size() - 1;
        check();
    }
    history.steps.resize(7);  // undone, and something else typed
    history.steps.push_back(step("Paste", "b"));
    history.at = 7;
    check();
    history.steps.erase(history.steps.begin(), history.steps.begin() + 3);  // the oldest are gone
    history.at = 4;
    check();
    history.steps = {step("", "another lecture")};
    history.at = 0;
    check();
}

TEST_CASE("a long history is kept as what each step changed") {
    LectureHistory history{{step("", std::string(10'000, 'x'))}, 0};
    for (int k = 1; k < 100; ++k)
        history.steps.push_back(
            step("Type", std::string(10'000, 'x') + std::string(static_cast<std::size_t>(k), 'y')));
    CHECK(LectureHistoryWriter().write(history, "").size() < 30'000);
}

TEST_CASE("a broken history says where, and states that are no lecture are left out") {
    const std::string head = "{\"file\": \"\", \"at\": ";
    const std::string good =
        "{\"label\": \"\", \"front\": 0, \"back\": 0, \"text\": \"# A\\n\\n## P\\n\"}";
    const std::string bad =
        "{\"label\": \"Type\", \"front\": 10, \"back\": 0, \"text\": "
        "\"```headlight\\nno-such-key: 1\\n```\\n\"}";
    const std::string greedy = "{\"label\": \"Type\", \"front\": 12, \"back\": 9, \"text\": \"\"}";
    CHECK(message_of("").find("[left]") == 0);
    CHECK(message_of(head + "0, \"steps\": []}").find("steps: is empty") != std::string::npos);
    CHECK(message_of(head + "1, \"steps\": [" + good + "]}").find("at") != std::string::npos);
    CHECK(message_of(head + "0, \"steps\": [" + good + ",\n" + greedy + "]}")
              .find("line 2, steps[1]: keeps more of the text before it than there is") !=
          std::string::npos);
    CHECK(message_of(head + "1, \"steps\": [" + good + ", " + bad + "]}").find("no-such-key") !=
          std::string::npos);
    const KeptLecture kept =
        read_lecture_history(head + "0, \"steps\": [" + good + ", " + bad + "]}", "left");
    CHECK(kept.history.steps.size() == 1);
}

}  // namespace headlight::lecture_history_test
