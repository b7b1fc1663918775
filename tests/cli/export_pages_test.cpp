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

TEST_CASE("export of a lecture: options of studies and of other formats are noted") {
    const TemporaryFolder folder;
    const std::string lecture = folder.file("short.lecture");
    write_file(lecture, "# Short\n\n## One\n\nA page of words.\n");
    const std::string said =
        headlight_run({"export", lecture, "-o", folder.file("a.pdf"), "--what", "heads", "--row",
                       "3", "--caption", "--page-seconds", "1", "--per-sheet", "2"})
            .err;
    for (const char* name : {"--what", "--row", "--caption"})
        CHECK(contains(said, std::string(name) + ": without effect, it is of studies"));
    CHECK(contains(said, "--page-seconds: without effect, it is of a film (.gif)"));
    CHECK(!contains(said, "--per-sheet"));
}

TEST_CASE("export of a lecture: --page exports one page, and a picture of several needs {page}") {
    const TemporaryFolder folder;
    const std::string lecture = folder.file("two.lecture");
    write_file(lecture,
               "# Two\n\n## One\n\nWords.\n\n## Two\n\n```headlight\nstudy: nothing\n```\n");
    const auto run = [&](const std::string& name, std::vector<std::string> more) {
        std::vector<std::string> args{"export", lecture, "-o", folder.file(name)};
        args.insert(args.end(), more.begin(), more.end());
        return headlight_run(args);
    };
    // The second page is wrong, which is none of the first one's business.
    const Ran one = run("one.png", {"--page", "1"});
    CHECK(one.code == 0);
    CHECK(one.err.empty());
    CHECK(png_size(read_file(folder.file("one.png"))).height == 960);
    CHECK(run("one.pdf", {"--page", "1"}).code == 0);
    CHECK(contains(run("two.png", {"--page", "2"}).err, "nothing"));
    CHECK(contains(run("three.png", {"--page", "3"}).err, "there is no page 3; the last one is 2"));
    CHECK(contains(run("all.png", {}).err, "a picture has one page"));
    CHECK(contains(run("all.txt", {}).err, "a lecture becomes .pdf"));
}

}  // namespace headlight::export_pages_test
