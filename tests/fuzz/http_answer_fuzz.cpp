// Fuzz target: what a server says before the bytes of a file, line by line.
#include "download/http.h"
#include "fuzz/fuzz_target.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view lines = fuzz::bytes_of(data, size);
    HttpAnswer answer;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
        read_header(answer, lines.substr(0, end));
        lines.remove_prefix(end);
    }
    fuzz::expect(!reason_of(answer).empty());
    return 0;
}
