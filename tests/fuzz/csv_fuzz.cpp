// Fuzz target: matrices as CSV and TSV; what is read is written and read again the same.
#include "fuzz/fuzz_target.h"
#include "io/text/csv.h"
#include "io/text/numbers_text.h"

using namespace headlight;

namespace {

bool is_same(Scalar a, Scalar b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const Matrix values = read_csv(bytes, "input").values;
        const Matrix again = read_csv(write_numbers(values, NumbersFormat::Tsv), "input").values;
        fuzz::expect(again.rows() == values.rows() && again.cols() == values.cols());
        fuzz::expect(
            std::equal(values.data(), values.data() + values.size(), again.data(), is_same));
    });
    return 0;
}
