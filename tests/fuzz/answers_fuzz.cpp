// Fuzz target: answers of a student; what is read is written and read again the same.
#include "fuzz/fuzz_target.h"
#include "lecture/answers.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::expect_only_errors([&] {
        const AnswerSheet sheet = read_answers(fuzz::bytes_of(data, size), "input");
        fuzz::expect(read_answers(write_answers(sheet), "written") == sheet);
    });
    return 0;
}
