// Fuzz target: values as JSON.
#include "fuzz/fuzz_target.h"
#include "io/text/values_json.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::expect_only_errors([&] { read_values_json(fuzz::bytes_of(data, size), "input"); });
    return 0;
}
