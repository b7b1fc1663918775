// Fuzz target: scripts, with a few of their lines.
#include "app/script_parse.h"
#include "fuzz/fuzz_target.h"

using namespace headlight;

namespace {

constexpr ScriptLine kLines[] = {{"undo", "", nullptr},
                                 {"drag THING by X Y", "", nullptr},
                                 {"expect text TEXT", "", nullptr},
                                 {"replace FIELD with TEXT", "", nullptr}};

}  // namespace

std::span<const ScriptLine> headlight::script_lines() {
    return kLines;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] { static_cast<void>(parse_script(bytes, "input")); });
    return 0;
}
