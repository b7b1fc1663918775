// Fuzz target: journals, unchanged and with correct checksums.
#include "fuzz/fuzz_target.h"
#include "io/files/checksum.h"
#include "io/studies/journal.h"

using namespace headlight;

namespace {

void expect_sound(const JournalContents& contents) {
    fuzz::expect(contents.problem.find('\n') == std::string::npos);
    for (const auto& [place, work] : contents.works) {
        fuzz::expect(work.saved && work.history.at() < work.history.steps().size());
        for (const HistoryStep& step : work.history.steps()) fuzz::expect(step.document != nullptr);
    }
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

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    expect_sound(read_journal(bytes));
    expect_sound(read_journal(with_checksums(bytes)));
    return 0;
}
