// No file of the repository is large without a reason: its history keeps every version for ever.
#include <cstdint>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <string>

#include "source_folder.h"

namespace headlight::style::file_sizes_test {
namespace {

constexpr std::uintmax_t kLargest = 300'000;  // bytes

const std::string kWeights = "trained weights, which the program contains";
/// Why some files are larger, by their paths.
const std::map<std::string, std::string> kReasons = {
    {"assets/weights/addition.safetensors", kWeights},
    {"assets/weights/language-model.safetensors", kWeights},
    {"assets/weights/never-looks.safetensors", kWeights},
    {"assets/weights/translation-transformer.safetensors", kWeights},
    {"assets/weights/translation-without-attention.safetensors", kWeights},
    {"assets/weights/translation.safetensors", kWeights},
    {"assets/weights/who-is-it.safetensors", kWeights},
    {"docs/pictures/attention-in-20-minutes.gif", "the film of a lecture"},
    {"assets/weights/three-questions.safetensors", "weights of 2,064 words"},
    {"docs/pictures/induction.gif", "the film of a training"},
    {"docs/pictures/page.gif", "the film of the page"},
    {"tests/golden/data.zip", "what PyTorch computes with every mechanism"},
    {"tests/golden/families.zip", "what transformers computes with small networks of families"},
    {"tests/golden/models.zip", "small models of every family, as transformers saves them"},
};

using Sizes = std::map<std::string, std::uintmax_t>;  // in bytes, by path from the root

/// The sizes of all files in the folders that the repository has.
Sizes sizes_in_repository() {
    const std::filesystem::path root = source_folder();
    Sizes sizes;
    for (const char* folder : {"assets", "cmake", "docs", "packaging", "python", "shaders", "src",
                               "tests", "third_party"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
            if (entry.is_regular_file())
                sizes[entry.path().lexically_relative(root).generic_string()] = entry.file_size();
    return sizes;
}

/// One line for each file that is too large, and for each reason that no file needs any more.
std::string check_sizes(const Sizes& sizes, const std::map<std::string, std::string>& reasons) {
    std::string findings;
    for (const auto& [path, size] : sizes)
        if (size > kLargest && !reasons.contains(path))
            findings += path + " has " + std::to_string(size) + " bytes; without a reason " +
                        std::to_string(kLargest) + " are the limit\n";
    for (const auto& [path, reason] : reasons) {
        const auto found = sizes.find(path);
        if (found == sizes.end() || found->second <= kLargest)
            findings += path + " needs no reason to be large\n";
    }
    return findings;
}

}  // namespace

TEST_CASE("no file is larger than 300 kB without a reason") {
    const Sizes sizes = sizes_in_repository();
    CHECK(sizes.size() > 500);
    CHECK(check_sizes(sizes, kReasons) == "");
}

TEST_CASE("file sizes: one byte too many is rejected, unless there is a reason") {
    CHECK(check_sizes({{"docs/a.png", 300'000}}, {}) == "");
    CHECK(check_sizes({{"docs/a.png", 300'001}}, {}) ==
          "docs/a.png has 300001 bytes; without a reason 300000 are the limit\n");
    CHECK(check_sizes({{"docs/a.png", 300'001}}, {{"docs/a.png", "a film"}}) == "");
}

TEST_CASE("file sizes: a reason for a file that is small, or gone, is rejected") {
    CHECK(check_sizes({{"docs/a.png", 300'000}}, {{"docs/a.png", "a film"}}) ==
          "docs/a.png needs no reason to be large\n");
    CHECK(check_sizes({}, {{"docs/a.png", "a film"}}) ==
          "docs/a.png needs no reason to be large\n");
}

}  // namespace headlight::style::file_sizes_test
