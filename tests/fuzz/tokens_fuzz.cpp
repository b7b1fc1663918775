// Fuzz target: lists of tokens, for two rows and for as many as the first byte says.
#include "fuzz/fuzz_target.h"
#include "io/text/token_list.h"
#include "text/utf8.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(fuzz::bytes_of(data, size));
    for (const std::size_t n_wanted : {std::size_t{2}, size == 0 ? 0 : std::size_t{data[0]}})
        fuzz::expect_only_errors([&] {
            for (const std::string& token : read_tokens(bytes, "input", n_wanted))
                fuzz::expect(!find_invalid_utf8(token));
        });
    return 0;
}
