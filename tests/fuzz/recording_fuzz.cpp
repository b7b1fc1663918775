// Fuzz target: recorded attention; what is opened is read, the first and the last row.
#include "fuzz/fuzz_target.h"
#include "io/arrays/recording.h"
#include "text/utf8.h"
#include "text/words.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const RecordedStudy study = read_recording(bytes_in_memory(bytes, "input"));
        const std::size_t n = study.tokens.size();
        fuzz::expect(n >= 1 && n <= kMaxWords && study.n_layers >= 1 && study.n_heads >= 1);
        for (const std::string& token : study.tokens) fuzz::expect(!find_invalid_utf8(token));
        Matrix row(1, static_cast<Index>(n));
        study.source->read(0, 0, view(row));
        study.source->read(Index{study.n_layers} * study.n_heads - 1, row.cols() - 1, view(row));
    });
    return 0;
}
