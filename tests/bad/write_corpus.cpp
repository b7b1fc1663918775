// Writes the seed corpus of the fuzz targets: write_corpus tests/fuzz/corpus
//
// Of each format the good file, and the inputs of the table that are read. Files that are there
// already, such as those that a fuzzer found, stay.
#include <cctype>
#include <filesystem>
#include <string>

#include "bad/bad_inputs.h"
#include "io/files/file.h"

using namespace headlight;
using namespace headlight::bad;

namespace {

constexpr std::size_t kMostBytes = 2000;

std::string file_name(const std::string& what) {
    std::string name;
    for (const char c : what) {
        const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (is_letter || (!name.empty() && name.back() != '_')) name += is_letter ? c : '_';
    }
    return name;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 1;
    for (const Format& format : formats()) {
        const std::filesystem::path folder = std::filesystem::path(argv[1]) / format.name;
        std::filesystem::create_directories(folder);
        write_file(folder / "good", format.good());
        for (const BadInput& input : format.inputs())
            if (input.answer.starts_with(kRead) && input.bytes.size() <= kMostBytes)
                write_file(folder / file_name(input.what), input.bytes);
    }
    return 0;
}
