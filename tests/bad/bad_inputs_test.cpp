// Every row of the table, and every prefix and every flipped bit of a good file.
#include "bad/bad_inputs.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>

using namespace headlight::bad;

namespace {

/// True if the message is one line of text, so that it can be shown.
bool is_one_line(const std::string& answer) {
    return answer.find('\n') == std::string::npos && answer.find('\0') == std::string::npos;
}

/// True if the answer is the expected one, in which ⟨words⟩ stands for any words.
bool is_answer(const std::string& said, const std::string& expected) {
    const std::string any = "⟨words⟩";
    const std::size_t at = expected.find(any);
    if (at == std::string::npos) return said == expected;
    const std::string begin = expected.substr(0, at), end = expected.substr(at + any.size());
    return said.size() > begin.size() + end.size() && said.starts_with(begin) &&
           said.ends_with(end);
}

}  // namespace

TEST_CASE("every reader answers every broken input as the table says") {
    for (const Format& format : formats())
        for (const BadInput& input : format.inputs()) {
            INFO(std::string(format.name));
            INFO(std::string(input.what));
            const std::string answer = format.read(input.bytes);
            const bool is_other = !input.or_answer.empty() && is_answer(answer, input.or_answer);
            CHECK_MESSAGE((is_other || is_answer(answer, input.answer)), answer, " instead of ",
                          input.answer);
            const bool has_lines = input.answer.find('\n') != std::string::npos;
            CHECK((has_lines || is_one_line(answer)));
        }
}

TEST_CASE("every reader reads its good file") {
    for (const Format& format : formats()) {
        INFO(std::string(format.name));
        CHECK(format.read(format.good()).starts_with(kRead));
    }
}

TEST_CASE("every prefix of a good file is read or refused in one line") {
    for (const Format& format : formats()) {
        INFO(std::string(format.name));
        const std::string good = format.good();
        std::size_t n_refused = 0;
        for (std::size_t size = 0; size < good.size(); ++size) {
            const std::string answer = format.read(std::string_view(good).substr(0, size));
            CAPTURE(size);
            REQUIRE(is_one_line(answer));
            n_refused += answer.starts_with(kRead) ? 0 : 1;
        }
        CHECK(n_refused > 0);
    }
}

TEST_CASE("every flipped bit at the start of a good file is read or refused in one line") {
    for (const Format& format : formats()) {
        INFO(std::string(format.name));
        const std::string good = format.good();
        std::size_t n_refused = 0;
        for (std::size_t bit = 0; bit < 8 * std::min(good.size(), format.header_bytes); ++bit) {
            std::string changed = good;
            changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
            CAPTURE(bit);
            const std::string answer = format.read(changed);
            REQUIRE(is_one_line(answer));
            n_refused += answer.starts_with(kRead) ? 0 : 1;
        }
        CHECK(n_refused > 0);
    }
}
