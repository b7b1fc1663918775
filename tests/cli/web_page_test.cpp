// Web pages in which lectures and views are alive, as far as the command line makes them; what they
// do in a browser is in tests/page.
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <regex>

#include "headlight_run.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "io/text/base64.h"
#include "io/text/json_view.h"
#include "present/lecture.h"
#include "present/lessons.h"

namespace headlight::web_page_test {
namespace {

// It has the places that are filled in, and none of the program.
constexpr const char* kProgram =
    "<!DOCTYPE html>\n<html><head><title>Headlight</title></head>\n<body>\n"
    "<script type=\"text/plain\" id=\"unpacker\" data-size=\"4\">AAAA>&</script>\n"
    "<script type=\"text/plain\" class=\"data\" data-name=\"weights/gat.safetensors\" "
    "data-size=\"4\">BBBB>&</script>\n"
    "<script type=\"text/plain\" class=\"data\" data-name=\"weights/karate.safetensors\" "
    "data-size=\"4\">CCCC>&</script>\n"
    "<script type=\"text/plain\" class=\"data\" data-name=\"weights/who-is-it.safetensors\" "
    "data-size=\"4\">DDDD>&</script>\n"
    "<script type=\"text/plain\" class=\"data\" data-name=\"lessons/masks.lecture\" "
    "data-size=\"4\">EEEE>&</script>\n"
    "<script>run();</script>\n</body></html>\n";

/// A folder with a page of the program, which HEADLIGHT_PAGE names while this lives.
struct WithProgram {
    WithProgram() { name(folder.with("program.html", kProgram)); }
    WithProgram(const WithProgram&) = delete;
    WithProgram& operator=(const WithProgram&) = delete;
    ~WithProgram() { unsetenv("HEADLIGHT_PAGE"); }

    static void name(const std::string& page) { setenv("HEADLIGHT_PAGE", page.c_str(), 1); }
    /// Exports to page.html, which must succeed, and returns the page.
    std::string page(const std::string& what, const std::vector<std::string>& more = {}) const {
        const Ran ran = run(what, more);
        REQUIRE_MESSAGE(ran.code == 0, ran.err);
        return read_file(folder.file("page.html"));
    }
    Ran run(const std::string& what, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> args{"export", what, "-o", folder.file("page.html")};
        args.insert(args.end(), more.begin(), more.end());
        return headlight_run(args);
    }

    TemporaryFolder folder;
};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

/// Returns the files that the page holds, by their names.
std::map<std::string, std::string> files_in(const std::string& page) {
    static const std::regex element(
        R"re(<script type="text/plain" class="file" data-name="([^"]*)">([^<]*)</script>)re");
    std::map<std::string, std::string> files;
    for (std::sregex_iterator at(page.begin(), page.end(), element), end; at != end; ++at)
        files[(*at)[1]] = from_base64((*at)[2].str()).value();
    return files;
}

/// Returns the first letters of the data that are in the page.
std::string data_in(const std::string& page) {
    CHECK(count(page, "class=\"data\"") == 4);  // those that are left out are named
    static const std::regex element(R"re(class="data" data-name="[^>]*>([^<])[^<]*</script>\n)re");
    std::string data;
    for (std::sregex_iterator at(page.begin(), page.end(), element), end; at != end; ++at)
        data += (*at)[1];
    return data;
}

ViewWords view_in(const std::string& study) {
    const JsonSource source{"study", parse_json(study, "study"), "study"};
    return read_view(source);
}

}  // namespace

TEST_CASE("web pages: a lecture's words never become markup, and come back as they were") {
    const WithProgram with;
    const std::string hostile =
        "# </title><script>a</script> <!-- \"quoted\"\n\n</script><img src=x onerror=\"b\">\n\n"
        "## <body onload=c>\n\n<!-- <script> </script>\n";
    const std::string page = with.page(with.folder.with("bad \"<b>.lecture", hostile));
    CHECK(count(page, "<script") == 7);
    CHECK(count(page, "</script>") == 7);
    CHECK(count(page, "<!--") == 0);
    CHECK(count(page, "<img") == 0);
    CHECK(count(page, "<body") == 1);
    CHECK(count(page, "<title>") == 1);
    CHECK(contains(page, "<body data-open=\"bad &quot;&lt;b&gt;.lecture\" data-present>"));
    const std::string lecture = files_in(page).at("bad &quot;&lt;b&gt;.lecture");
    CHECK(read_lecture(lecture, "l") == read_lecture(hostile, "l"));
    CHECK(page.find("class=\"file\"") < page.find("id=\"unpacker\""));
}

TEST_CASE("web pages: the files that a lecture names go with it, each once") {
    const WithProgram with;
    const TemporaryFolder& folder = with.folder;
    std::filesystem::create_directory(folder.file("more"));
    const std::string study = read_file(small_sentence(folder));
    write_file(folder.file("more/a.headlight"), study);
    write_file(folder.file("b.headlight"), study);
    write_file(folder.file("loss.csv"), "step,loss\n1,2\n2,1\n");
    write_file(folder.file("secret.headlight"), study);
    const std::string page = with.page(
        folder.with("l.lecture",
                    "# L\n\n## One\n\n```headlight\nstudy: more/a.headlight\n```\n\n## Two\n\n"
                    "```headlight\nstudy: more/a.headlight\nwith: b.headlight\n```\n\n## Three\n\n"
                    "```headlight\nstudy: who-is-it\nwith: before\n```\n\n## Four\n\n"
                    "```headlight\ncurve: loss.csv\n```\n"));
    const auto files = files_in(page);
    CHECK(files.size() == 4);
    CHECK(files.at("more/a.headlight") == study);
    CHECK(files.count("b.headlight") == 1);
    CHECK(files.at("loss.csv") == "step,loss\n1,2\n2,1\n");
    CHECK(files.count("l.lecture") == 1);
}

TEST_CASE("web pages: of the trained weights only those stay that the pages name") {
    const WithProgram with;
    const auto data_of = [&](const std::string& directives) {
        return data_in(with.page(with.folder.with(
            "l.lecture", "# L\n\n## One\n\n```headlight\n" + directives + "```\n")));
    };
    CHECK(data_of("study: gat\n") == "C");  // this preset has the weights of the task karate
    CHECK(data_of("study: who-is-it\n") == "D");
    CHECK(data_of("study: attention\n").empty());
    CHECK(data_of("study: attention\nwith: who-is-it\n") == "D");
    CHECK(data_of("study: attention\nwith: network who-is-it\n") == "D");
    CHECK(data_in(with.page(small_sentence(with.folder), {"--what", "heads"})).empty());
    std::string without = kProgram;
    with.name(with.folder.with("without.html", without.erase(without.find("CCCC>&"), 6)));
    const Ran ran =
        with.run(with.folder.with("g.lecture", "# L\n\n## One\n\n```headlight\nstudy: gat\n```\n"));
    CHECK(contains(ran.err, "from which weights/karate.safetensors was left out"));
}

TEST_CASE("web pages: a file that lies elsewhere is refused, with the line that names it") {
    const WithProgram with;
    const TemporaryFolder elsewhere;
    const std::string study = small_sentence(elsewhere);
    const Ran ran = with.run(with.folder.with(
        "l.lecture", "# L\n\n## One\n\n```headlight\nstudy: " + study + "\n```\n"));
    CHECK(ran.code == 1);
    CHECK(contains(ran.err, "line 6"));
    CHECK(contains(ran.err, "a page cannot hold it"));
    CHECK_FALSE(std::filesystem::exists(with.folder.file("page.html")));
}

TEST_CASE("web pages: without the program's page the message says what makes it") {
    const WithProgram with;
    const std::string lecture = with.folder.with("l.lecture", "# L\n\n## One\n\nWords.\n");
    unsetenv("HEADLIGHT_PAGE");
    const std::string nowhere = with.run(lecture).err;
    CHECK(contains(nowhere, "./run web"));
    CHECK(contains(nowhere, "--static"));
    with.name(with.folder.file("missing.html"));
    CHECK(contains(with.run(lecture).err, "missing.html is not a file"));
    with.name(lecture);
    CHECK(contains(with.run(lecture).err, "is not the program's page"));
    with.name(with.folder.file("page.html"));
    write_file(with.folder.file("page.html"), kProgram);
    CHECK(with.run(lecture).code == 1);  // the page would be written over itself
    CHECK(read_file(with.folder.file("page.html")) == kProgram);
}

TEST_CASE("web pages: --static writes text and pictures, and needs no program") {
    const WithProgram with;
    unsetenv("HEADLIGHT_PAGE");
    const std::string page =
        with.page(with.folder.with("l.lecture", "# L\n\n## One\n\nWords.\n"), {"--static"});
    CHECK(contains(page, "<p>Words.</p>"));
    CHECK_FALSE(contains(page, "data-open"));
}

TEST_CASE("web pages: options that a lecture alive does not obey are noted") {
    const WithProgram with;
    const std::string lecture = with.folder.with("l.lecture", "# L\n\n## One\n\nWords.\n");
    const std::string said = with.run(lecture, {"--page", "1", "--theme", "dark"}).err;
    CHECK(contains(said, "--page: without effect"));
    CHECK(contains(said, "--theme: without effect"));
    CHECK(contains(said, "page.html#3"));
    CHECK(with.run(lecture).err.empty());
    const std::string of_pdf =
        headlight_run({"export", lecture, "--static", "-o", with.folder.file("l.pdf")}).err;
    CHECK(contains(of_pdf, "--static: without effect"));
}

TEST_CASE("web pages: a course has the program once, and an index that opens every lesson in it") {
    const WithProgram with;
    const std::string folder = with.folder.file("course");
    REQUIRE(headlight_run({"course", folder}).code == 0);
    CHECK(data_in(read_file(folder + "/headlight.html")) == "CDE");
    const std::string index = read_file(folder + "/index.html");
    for (const Lesson& lesson : lessons())
        CHECK(contains(index, "<a href=\"headlight.html?open=lesson:" + std::string(lesson.name) +
                                  "&amp;present\">"));
    CHECK(count(index, "<li>") == lessons().size());
    CHECK(contains(index, "Softmax by hand</a><br>Five scores become five weights."));
}

TEST_CASE("web pages: a view is kept with the study that the page presents") {
    const WithProgram with;
    const std::string study = small_sentence(with.folder);
    const auto words = [&](const std::vector<std::string>& more) {
        const std::string page = with.page(study, more);
        CHECK(contains(page, "data-present"));
        return view_in(files_in(page).begin()->second);
    };
    const auto has = [](const ViewWords& view, const ViewWord& word) {
        return std::ranges::count(view, word) == 1;
    };
    CHECK(has(words({"--what", "heads"}), {"what", "heads"}));
    const std::string path = "blocks.0.attn.heads.1.pattern";
    const ViewWords matrix = words({"--tensor", path, "--row", "cat"});
    CHECK(has(matrix, {"tensor", path}));
    CHECK(has(matrix, {"row", "1"}));
    CHECK_FALSE(contains(with.page(study, {"--what", "window"}), "data-present"));
}

TEST_CASE("web pages: a view that the window does not have is refused; idle options are noted") {
    const WithProgram with;
    const std::string study = small_sentence(with.folder);
    CHECK(contains(with.run(study, {"--what", "row", "--row", "cat"}).err, "cannot be alive"));
    CHECK(contains(with.run(study, {"--tensor", "*.pattern"}).err, "a page shows one matrix"));
    CHECK(contains(with.run(study, {"--what", "heads", "--with", study}).err,
                   "a page compares with a sentence or a head"));
    CHECK(contains(with.run(study, {"--what", "heads", "--dpi", "300"}).err, "--dpi: without"));
    CHECK(contains(with.run(study, {"--what", "heads", "--caption"}).err, "--caption"));
}

}  // namespace headlight::web_page_test
