// The log of a worker that is going to be killed; kill_test reads it.
#pragma once

#include <chrono>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "model/history.h"

namespace headlight {

/// Checksums of a history: its steps and the place in them, the steps alone, the steps up to the
/// open one, and the steps before it.
struct HistorySums {
    std::uint64_t whole = 0, steps = 0, until = 0, before = 0;
};

struct LogLine {
    std::string what;  // "state", "clean": one that is saved; "saving", "saved"
    std::int64_t at_ms = 0;
    std::uint64_t document = 0;
    HistorySums history;
};

inline std::string line_text(const LogLine& line) {
    std::ostringstream text;
    text << line.what << ' ' << line.at_ms << ' ' << line.document << ' ' << line.history.whole
         << ' ' << line.history.steps << ' ' << line.history.until << ' ' << line.history.before
         << '\n';
    return text.str();
}

/// A last line that a kill has truncated is left out.
inline std::vector<LogLine> read_log(const std::filesystem::path& file) {
    std::vector<LogLine> lines;
    const std::string bytes = read_file(file);
    std::istringstream text(bytes.substr(0, bytes.rfind('\n') + 1));
    for (LogLine line; text >> line.what >> line.at_ms >> line.document >> line.history.whole >>
                       line.history.steps >> line.history.until >> line.history.before;)
        lines.push_back(line);
    return lines;
}

inline std::int64_t now_ms() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

inline std::uint64_t sum_of(const Document& document) {
    return checksum(write_study(document));
}

/// The checksum of the first `count` documents and the names of their steps.
inline std::uint64_t sum_of(const std::deque<HistoryStep>& steps, std::size_t count) {
    std::string text;
    for (std::size_t k = 0; k < count; ++k)
        text += steps[k].label + "\n" + checksum_text(sum_of(*steps[k].state)) + "\n";
    return checksum(text);
}

inline HistorySums sums_of(const History& history) {
    const auto& steps = history.steps();
    const std::uint64_t all = sum_of(steps, steps.size());
    return {checksum(std::to_string(history.at()) + checksum_text(all)), all,
            sum_of(steps, history.at() + 1), sum_of(steps, history.at())};
}

}  // namespace headlight
