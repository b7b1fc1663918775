#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::export_film_test {
namespace {

int count(const std::string& bytes, const std::string& part) {
    int n = 0;
    for (std::size_t at = 0; (at = bytes.find(part, at)) != std::string::npos; at += part.size())
        ++n;
    return n;
}

Ran film(const std::string& study, const std::string& output, std::vector<std::string> more) {
    std::vector<std::string> args{"export", study,     "-o",      output,
                                  "--size", "320x240", "--scale", "1"};
    args.insert(args.end(), more.begin(), more.end());
    return headlight_run(args);
}

}  // namespace

TEST_CASE(
    "export --motion walk: one frame for each step of the part, in order, in one file or in many") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const std::vector<std::string> walk{"--motion", "walk", "--part", "blocks.0.attn"};
    REQUIRE(film(study, folder.file("walk.png"), walk).err == "");
    const int n_frames = count(read_file(folder.file("walk.png")), "fcTL");
    CHECK(n_frames > 6);
    REQUIRE(film(study, folder.file("walk.gif"), walk).err == "");
    CHECK(read_file(folder.file("walk.gif")).starts_with("GIF89a"));
    REQUIRE(film(study, folder.file("frames/{frame}.svg"), walk).code == kExitDone);
    int n_files = 0;
    for ([[maybe_unused]] const auto& file :
         std::filesystem::directory_iterator(folder.file("frames")))
        ++n_files;
    CHECK(n_files == n_frames);
    const std::string first = folder.file(n_frames < 10 ? "frames/1.svg" : "frames/01.svg");
    CHECK(read_file(first) !=
          read_file(folder.file("frames/" + std::to_string(n_frames) + ".svg")));
}

TEST_CASE("export --motion: a setting or a cell goes there and back, and the pictures follow") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), output = folder.file("sweep.png");
    const std::string pattern = "blocks.0.attn.heads.0.pattern";
    for (const char* motion :
         {"layer.attention.temperature=0.2:4", "blocks.0.attn.heads.0.W_Q[1, 2]=-1:1"}) {
        INFO(motion);
        REQUIRE(
            film(study, output, {"--motion", motion, "--tensor", pattern, "--frames", "4"}).err ==
            "");
        const std::string bytes = read_file(output);
        CHECK(count(bytes, "fcTL") == 6);  // 1 2 3 4 3 2
        REQUIRE(
            film(study, output, {"--motion", motion, "--tensor", pattern, "--frames", "4"}).err ==
            "");
        CHECK(read_file(output) == bytes);
    }
}

TEST_CASE("export --motion: anything that cannot move is refused by name") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    const std::string tensor = "blocks.0.attn.heads.0.pattern";
    const auto error = [&](const std::string& motion, const char* file) {
        return film(study, folder.file(file), {"--motion", motion, "--tensor", tensor}).err;
    };
    CHECK(contains(error("run", "a.gif"),
                   "'run' is neither walk nor the range of a number, such as"));
    CHECK(contains(error("layer.attention.temprature=0:1", "a.gif"), "temprature"));
    CHECK(contains(error("nothing[0,0]=0:1", "a.gif"), "nothing"));
    CHECK(contains(error(tensor + "[0,99]=0:1", "a.gif"), "has no cell [0, 99]; it is 5 × 5"));
    CHECK(contains(error(tensor + "[5,0]=0:1", "a.gif"), "has no cell [5, 0]; it is 5 × 5"));
    CHECK(contains(error("layer.attention.temperature=-5:-1", "a.gif"),
                   "layer.attention.temperature cannot be -5; it can be 0.01 to 100"));
    CHECK(contains(error("walk", "a.svg"), "a film is .png or .gif; with {frame} in the name"));
    CHECK(!std::filesystem::exists(folder.file("a.gif")));
}

}  // namespace headlight::export_film_test
