// Gives readers the inputs that are kept for them: fuzz_replay CORPUS [READER…]
//
// The folder CORPUS/READER holds the inputs of a reader. Without READER all readers are tried, and
// CORPUS must have a folder for each of them and no other.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "fuzz/readers.h"

namespace {

namespace fs = std::filesystem;
using namespace headlight::fuzz;

using Names = std::set<std::string>;

Names all_readers() {
    Names names;
    for (const Reader& reader : readers()) names.emplace(reader.name);
    return names;
}

Names files_in(const fs::path& folder) {
    Names names;
    if (fs::is_directory(folder))
        for (const auto& entry : fs::directory_iterator(folder))
            names.insert(entry.path().filename().string());
    return names;
}

void try_file(const Reader& reader, const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);  // the last line names the input that crashed
    reader.try_input(bytes);
}

/// False if there is no such reader, or no input for it.
bool replay(const std::string& name, const fs::path& corpus) {
    const Reader* reader = find_reader(name);
    const Names files = files_in(corpus / name);
    if (!reader || files.empty()) {
        std::fprintf(stderr, "%s: there is no %s of this name\n", name.c_str(),
                     reader ? "folder of inputs" : "reader");
        return false;
    }
    for (const std::string& file : files) try_file(*reader, corpus / name / file);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s CORPUS [READER...]\n", argv[0]);
        return 2;
    }
    const fs::path corpus = argv[1];
    Names names(argv + 2, argv + argc);
    if (names.empty()) {
        names = all_readers();
        names.merge(files_in(corpus));
    }
    bool is_complete = true;
    for (const std::string& name : names) is_complete = replay(name, corpus) && is_complete;
    return is_complete ? 0 : 1;
}
