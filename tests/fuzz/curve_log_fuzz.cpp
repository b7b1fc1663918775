// Fuzz target: tables of curves; the steps of what is read do not go back.
#include "fuzz/fuzz_target.h"
#include "scene/figures/log_curves.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::expect_only_errors([&] {
        const CurveLog log = read_curve_log(fuzz::bytes_of(data, size), "input");
        const Matrix& values = log.csv.values;
        fuzz::expect(values.cols() >= 2 && !(values.array() < 0).any());
        for (Index i = 1; i < values.rows(); ++i) fuzz::expect(values(i - 1, 0) <= values(i, 0));
    });
    return 0;
}
