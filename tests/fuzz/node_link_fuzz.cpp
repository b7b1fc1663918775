// Fuzz target: node-link JSON.
#include "fuzz/fuzz_target.h"
#include "io/graphs/node_link.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const JsonSource source{"input", parse_json(bytes, "input")};
        fuzz::expect_sound(read_node_link(source, Directed::No).graph);
    });
    return 0;
}
