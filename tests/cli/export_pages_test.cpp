// The size of a lecture's pages as pictures.
#include <doctest/doctest.h>

#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::export_pages_test {
namespace {

struct Exported {
    PngSize size;
    std::string said;
};

Exported page(const TemporaryFolder& folder, std::vector<std::string> more) {
    const std::string lecture = folder.file("short.lecture");
    write_file(lecture, "# Short\n\n## One\n\nA page of words.\n");
    std::vector<std::string> args{"export", lecture, "-o", folder.file("p{page}.png")};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = headlight_run(args);
    REQUIRE(ran.code == 0);
    return {png_size(read_file(folder.file("p01.png"))), ran.err};
}

}  // namespace

TEST_CASE("export of a lecture: --size is in pixels, --dpi counts where there is none") {
    const TemporaryFolder folder;
    const auto check = [&](std::vector<std::string> more, PngSize wanted) {
        const PngSize size = page(folder, std::move(more)).size;
        CHECK(size.width == wanted.width);
        CHECK(size.height == wanted.height);
    };
    check({"--size", "1280x720"}, {1280, 720});
    check({"--size", "1024x768"}, {1024, 768});
    check({"--size", "1001x563"}, {1001, 563});
    check({}, {1707, 960});
    check({"--dpi", "72"}, {854, 480});
    check({"--size", "640x360", "--dpi", "300"}, {640, 360});
}

TEST_CASE("export of a lecture: a --dpi without effect is noted") {
    const TemporaryFolder folder;
    const auto notes = [&](std::vector<std::string> more) {
        return contains(page(folder, std::move(more)).said, "--size is in pixels for a lecture");
    };
    CHECK(notes({"--size", "640x360", "--dpi", "300"}));
    CHECK_FALSE(notes({"--size", "640x360"}));
    CHECK_FALSE(notes({"--dpi", "72"}));
}

}  // namespace headlight::export_pages_test
