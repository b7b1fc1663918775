// Fuzz target: studies; what is read is written and read again the same.
#include "fuzz/fuzz_target.h"
#include "io/studies/study.h"
#include "io/text/json_view.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const JsonSource source{"input", parse_json(bytes, "input")};
        const Document document = read_study(source);
        const ViewWords view = read_view(source);
        const std::string text = write_study(document, {}, view);
        const JsonSource written{"written", parse_json(text, "written")};
        fuzz::expect(read_study(written) == document);
        fuzz::expect(read_view(written) == view);
    });
    return 0;
}
