// Readers of studies, of what the window keeps, and of scripts.
#include "app/script_parse.h"
#include "fuzz/expectations.h"
#include "fuzz/readers.h"
#include "io/files/checksum.h"
#include "io/studies/journal.h"
#include "io/studies/recipe_file.h"
#include "io/studies/study.h"
#include "io/studies/window_state.h"
#include "io/text/json_view.h"

namespace headlight {
namespace {

constexpr ScriptLine kLines[] = {{"undo", "", nullptr},
                                 {"drag THING by X Y", "", nullptr},
                                 {"expect text TEXT", "", nullptr},
                                 {"replace FIELD with TEXT", "", nullptr}};

}  // namespace

std::span<const ScriptLine> script_lines() {
    return kLines;
}

}  // namespace headlight

namespace headlight::fuzz {
namespace {

void expect_sound(const JournalContents& contents) {
    expect(contents.problem.find('\n') == std::string::npos);
    const auto expect_whole = [](const auto& work) {
        expect(work.saved && work.history.at() < work.history.steps().size());
        for (const auto& step : work.history.steps()) expect(step.state != nullptr);
    };
    for (const auto& [place, work] : contents.unsaved.works) expect_whole(work);
    if (contents.unsaved.lecture) expect_whole(*contents.unsaved.lecture);
}

/// Each line as a record whose checksum, if it has one, is replaced by the right one.
std::string with_checksums(std::string_view lines) {
    constexpr std::size_t kStart = 17;
    std::string journal(kJournalTitle);
    if (lines.starts_with(kJournalTitle)) lines.remove_prefix(kJournalTitle.size());
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const bool has_checksum = end > kStart && lines[kStart - 1] == ' ';
        const std::string_view object = lines.substr(0, end).substr(has_checksum ? kStart : 0);
        journal += checksum_text(checksum(object)) + " " + std::string(object) + "\n";
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return journal;
}

}  // namespace

void try_study(std::string_view bytes) {
    expect_only_errors([&] {
        const JsonSource source{"input", parse_json(bytes, "input")};
        const Document document = read_study(source);
        const ViewWords view = read_view(source);
        const std::string text = write_study(document, {}, view);
        const JsonSource written{"written", parse_json(text, "written")};
        expect(read_study(written) == document);
        expect(read_view(written) == view);
    });
}

void try_journal(std::string_view bytes) {
    expect_sound(read_journal(bytes));
    expect_sound(read_journal(with_checksums(bytes)));
}

void try_recipe(std::string_view bytes) {
    expect_only_errors([&] {
        const Recipe recipe = read_recipe(bytes, "input");
        const std::string written = write_recipe(recipe);
        expect(write_recipe(read_recipe(written, "written")) == written);
    });
}

void try_window_state(std::string_view bytes) {
    expect_only_errors([&] { static_cast<void>(parse_window_state(bytes, "input")); });
}

void try_script(std::string_view bytes) {
    expect_only_errors([&] { static_cast<void>(parse_script(bytes, "input")); });
}

}  // namespace headlight::fuzz
