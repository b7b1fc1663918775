// Fuzz target: numbers of the clipboard; what is read is written and read again the same.
#include "fuzz/fuzz_target.h"
#include "io/text/numbers_text.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const Matrix values = read_numbers(bytes);
        fuzz::expect(read_numbers(write_numbers(values, NumbersFormat::Tsv)) == values);
    });
    return 0;
}
