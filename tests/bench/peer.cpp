// Headlight's side of beside_pytorch.py: runs a named case on request, and reports its time.
//
// Reads lines from stdin, answers each with one line on stdout:
//     level                    → "avx512": which kernels run
//     time CASE THREADS SECS   → nanoseconds of one run: the median of as many as fit into SECS;
//                                processor time with one thread, else wall time
//     bytes CASE               → memory that one run adds, at its peak
// A case is prepared when first named; that is not timed.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <sstream>
#include <time.h>
#include <vector>

#include "bench_cases.h"
#include "core/error.h"
#include "core/kernels/levels.h"
#include "model/workers.h"

using namespace headlight;

namespace {

/// Seconds on a clock.
double now(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

double median_time(const BenchCase& run, const ForEach& for_each, clockid_t clock, double seconds) {
    run(for_each);  // fills the caches, touches the memory
    std::vector<double> times;
    for (double sum = 0; sum < seconds || times.size() < 3; sum += times.back()) {
        const double begin = now(clock);
        run(for_each);
        times.push_back(now(clock) - begin);
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// A field of this process's status, in bytes.
Index status_bytes(const std::string& field) {
    std::ifstream status("/proc/self/status");
    std::string name;
    for (Index kilobytes; status >> name; status.ignore(256, '\n'))
        if (name == field + ":" && status >> kilobytes) return kilobytes * 1024;
    return 0;
}

Index added_bytes(const BenchCase& run) {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";  // begins a new peak
    const Index before = status_bytes("VmRSS");
    run(serial());
    return status_bytes("VmHWM") - before;
}

class Peer {
  public:
    std::string answer(std::istream& line) {
        std::string command, name;
        line >> command >> name;
        if (command == "level") return chosen_level().name;
        const BenchCase& run = prepared(name);
        if (command == "bytes") return std::to_string(added_bytes(run));
        int threads = 1;
        double seconds = 0;
        line >> threads >> seconds;
        // With one thread, other programs on the machine do not count.
        const bool is_serial = threads == 1;
        return std::to_string(
            1e9 * median_time(run, is_serial ? serial() : workers_.for_each(),
                              is_serial ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, seconds));
    }

  private:
    const BenchCase& prepared(const std::string& name) {
        if (name != name_) run_ = make_bench_case(name);
        name_ = name;
        return run_;
    }

    Workers workers_{1};
    std::string name_;  // one case at a time: some take gigabytes
    BenchCase run_;
};

}  // namespace

int main() {
    // As in the program, freed memory is reused, not returned to the system.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    Peer peer;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        try {
            std::cout << peer.answer(words) << std::endl;
        } catch (const Error& error) {
            std::cout << "error: " << error.what() << std::endl;
        }
    }
}
