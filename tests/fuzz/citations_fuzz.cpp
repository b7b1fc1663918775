// Fuzz target: a table of nodes and, after a form feed, citations.
#include "fuzz/fuzz_target.h"
#include "graph/node_table.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    const std::size_t end = std::min(bytes.find('\f'), bytes.size());
    const std::string_view citations = bytes.substr(std::min(end + 1, bytes.size()));
    fuzz::expect_only_errors([&] {
        fuzz::expect_sound(
            read_citations({bytes.substr(0, end), "table", citations, "cites"}).graph);
    });
    return 0;
}
