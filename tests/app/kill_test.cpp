// Kills a window at random moments while it edits and saves, and checks what is left.
//
//     kill_test WORKER COUNT SEED
//
// After each kill the saved study is complete and was really saved. The journal restores a state
// that the window had, with its steps and the place in them; lost edits are younger than five
// seconds. The next window takes over the journal and is killed in turn.
#include <algorithm>
#include <csignal>
#include <iostream>
#include <iterator>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "../temporary_folder.h"
#include "core/error.h"
#include "io/studies/journal.h"
#include "kill_log.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostLost_ms = 5000;

void expect(bool is_so, const std::string& what) {
    if (!is_so) throw Error("kill", what);
}

pid_t start(const std::string& worker, const std::string& folder, std::uint64_t seed) {
    const std::string number = std::to_string(seed);
    const pid_t pid = ::fork();
    expect(pid >= 0, "no process can be started");
    if (pid > 0) return pid;
    ::execl(worker.c_str(), worker.c_str(), folder.c_str(), number.c_str(), nullptr);
    ::_exit(127);
}

bool is_ready(const std::string& log) {
    std::error_code error;
    return fs::file_size(log, error) > 0 && !error;
}

/// Waits until the window is running, and then for a while.
void wait_for(pid_t pid, const std::string& log, int while_ms) {
    while (!is_ready(log)) {
        expect(::waitpid(pid, nullptr, WNOHANG) == 0, "the worker ended before it was killed");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(while_ms));
}

void end(pid_t pid) {
    ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    expect(WIFSIGNALED(status), "the worker ended before it was killed");
}

using Log = std::vector<LogLine>;

/// The checksum of the study in the file; none if there is no study.
std::optional<std::uint64_t> sum_in(const std::string& file) {
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    return sum_of(read_study(read_file(file), file));
}

/// Checks that the file has the last saved state, or the one being saved.
void check_saved(std::optional<std::uint64_t> before, std::optional<std::uint64_t> now,
                 const Log& log) {
    for (auto line = log.rbegin(); line != log.rend(); ++line) {
        if (line->what != "saved" && line->what != "saving") continue;
        if (line->document == now) return;
        expect(line->what != "saved", "the study in the file is not the one saved last");
    }
    expect(now == before, "the study in the file is another one, and none was saved");
}

bool is_state(const LogLine& line) {
    return line.what == "state" || line.what == "clean";
}

/// True if the history is one step beyond the last logged one: the kill came between the two.
bool follows(const History& history, const LogLine& last) {
    const HistorySums sums = sums_of(history);
    const std::uint64_t before = sum_of(history.steps(), history.steps().size() - 1);
    return sums.steps == last.history.steps || before == last.history.until ||
           before == last.history.before || sums.steps == last.history.until ||
           sums.steps == last.history.before;
}

/// The last state that is not lost: the journal's, or the last one without unsaved work.
Log::const_iterator find_kept(const fs::path& folder, const Log& log) {
    const std::vector<LeftJournal> journals = find_left_journals(folder / "state/unsaved");
    expect(journals.size() <= 1, "more than one journal is left");
    const auto last_of = [&](auto is_wanted) {
        const auto found = std::find_if(log.rbegin(), log.rend(), is_wanted);
        return found == log.rend() ? log.end() : std::prev(found.base());
    };
    if (journals.empty()) {
        const auto clean = last_of([](const LogLine& line) { return line.what == "clean"; });
        expect(clean != log.end(), "there is no journal of work that was not saved");
        return clean;
    }
    expect(journals[0].problem.empty(), "the journal is broken: " + journals[0].problem);
    expect(journals[0].unsaved.works.contains(0), "the journal has not the sentence");
    const History& history = journals[0].unsaved.works.at(0).history;
    const auto known = last_of([sum = sums_of(history).whole](const LogLine& line) {
        return is_state(line) && line.history.whole == sum;
    });
    if (known != log.end()) return known;
    const auto last = last_of(is_state);
    expect(follows(history, *last), "the window never had the state in the journal");
    return last;
}

/// The age of the oldest lost edit; 0 if none is lost.
std::int64_t lost_ms(const Log& log, Log::const_iterator kept, std::int64_t killed_at_ms) {
    const auto next = std::find_if(kept, log.end(), [&](const LogLine& line) {
        return is_state(line) && line.history.whole != kept->history.whole;
    });
    return next == log.end() ? 0 : killed_at_ms - next->at_ms;
}

struct Round {
    std::string worker;
    std::uint64_t seed = 0;
    int while_ms = 0;
};

std::int64_t run(const Round& round, const TemporaryFolder& folder) {
    const std::string log = folder.file("log");
    std::error_code ignored;
    fs::remove(log, ignored);
    const std::string file = folder.file("a.headlight");
    const auto before = sum_in(file);
    const pid_t pid = start(round.worker, folder.file(""), round.seed);
    try {
        wait_for(pid, log, round.while_ms);
    } catch (...) {
        ::kill(pid, SIGKILL);
        throw;
    }
    const std::int64_t killed_at_ms = now_ms();
    end(pid);
    const Log lines = read_log(log);
    check_saved(before, sum_in(file), lines);
    return lost_ms(lines, find_kept(folder.file(""), lines), killed_at_ms);
}

/// Lets the next window start without files.
void clear(const TemporaryFolder& folder) {
    std::error_code ignored;
    fs::remove_all(folder.file("state"), ignored);
    fs::remove(folder.file("a.headlight"), ignored);
}

/// A random lifetime: most are shorter than the journal's delay, some are longer.
int some_ms(std::mt19937_64& random) {
    const bool is_long = random() % 5 == 0;
    return static_cast<int>(random() % (is_long ? 12'000 : 2'500));
}

void run_all(const std::string& worker, int count, std::uint64_t seed) {
    const TemporaryFolder folder;
    std::mt19937_64 random(seed);
    std::int64_t most_ms = 0;
    for (int k = 0; k < count; ++k) {
        const Round round{worker, random(), some_ms(random)};
        try {
            const std::int64_t lost = run(round, folder);
            expect(lost <= kMostLost_ms, "edits of " + std::to_string(lost) + " ms are lost");
            most_ms = std::max(most_ms, lost);
        } catch (const Error& error) {
            throw Error("kill " + std::to_string(k + 1) + ", after " +
                            std::to_string(round.while_ms) + " ms",
                        error.what());
        }
        if (random() % 8 == 0) clear(folder);
    }
    std::cout << count << " kills; of no more than the last " << most_ms
              << " ms of edits was anything lost\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    try {
        run_all(argv[1], std::stoi(argv[2]), std::stoull(argv[3]));
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
