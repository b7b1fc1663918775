// libFuzzer makes up inputs for the reader that the environment variable HEADLIGHT_READER names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/readers.h"

namespace {

const headlight::fuzz::Reader* reader = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* name = std::getenv("HEADLIGHT_READER");
    reader = headlight::fuzz::find_reader(name ? name : "");
    if (reader) return 0;
    std::fprintf(stderr, "HEADLIGHT_READER must be one of these:\n");
    for (const headlight::fuzz::Reader& one : headlight::fuzz::readers())
        std::fprintf(stderr, "%.*s\n", static_cast<int>(one.name.size()), one.name.data());
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    reader->try_input({reinterpret_cast<const char*>(data), size});
    return 0;
}
