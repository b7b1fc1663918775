// Fuzz target: kept lectures with the steps that undo leads to.
#include "fuzz/fuzz_target.h"
#include "lecture/file/lecture_history.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::expect_only_errors([&] {
        const KeptLecture kept = read_lecture_history(fuzz::bytes_of(data, size), "input");
        fuzz::expect(kept.history.at < kept.history.steps.size());
        for (const LectureStep& step : kept.history.steps) fuzz::expect(step.lecture != nullptr);
    });
    return 0;
}
