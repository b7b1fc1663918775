// Gives a fuzz target every file of a folder, or the files that are named.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void replay(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(stream), {});
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);  // the last line names the input that crashed
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
    int n_files = 0;
    for (int k = 1; k < argc; ++k) {
        if (!fs::is_directory(argv[k])) replay(argv[k]), ++n_files;
        if (fs::is_directory(argv[k]))
            for (const auto& entry : fs::directory_iterator(argv[k]))
                replay(entry.path()), ++n_files;
    }
    return n_files > 0 ? 0 : 1;
}
