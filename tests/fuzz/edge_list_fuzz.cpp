// Fuzz target: edge lists; what can be written is read again the same.
#include "fuzz/fuzz_target.h"
#include "graph/edge_list.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    for (const Directed directed : {Directed::No, Directed::Yes})
        fuzz::expect_only_errors([&] {
            const Graph graph = read_edge_list(bytes, directed, "input").graph;
            const std::string written = write_edge_list(graph);
            fuzz::expect(read_edge_list(written, directed, "written").graph == graph);
        });
    return 0;
}
