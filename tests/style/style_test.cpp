// The rules of style, checked on every file; each rule also rejects a wrong example.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "source_folder.h"
#include "style/style_headers.h"
#include "style/style_links.h"
#include "style/style_rules.h"
#include "style/style_scan.h"

using namespace headlight::style;

namespace {

struct File {
    std::string path;  // from the root of the repository
    std::string text;
};

File read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {path.lexically_relative(headlight::source_folder()).generic_string(),
            std::string(std::istreambuf_iterator<char>(stream), {})};
}

std::vector<File> read_files(const std::string& folder, const std::vector<std::string>& ends) {
    const std::filesystem::path root = headlight::source_folder();
    std::vector<File> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
        const std::string path = entry.path().generic_string();
        const auto matches = [&](const std::string& end) { return path.ends_with(end); };
        if (entry.is_regular_file() && std::any_of(ends.begin(), ends.end(), matches))
            files.push_back(read_file(entry.path()));
    }
    return files;
}

std::vector<File> sources(const std::string& folder) {
    return read_files(folder, {".h", ".cpp"});
}

/// All sources by their paths.
std::map<std::string, std::string> all_sources() {
    std::map<std::string, std::string> texts;
    for (const char* folder : {"src", "tests"})
        for (const File& file : sources(folder)) texts[file.path] = file.text;
    return texts;
}

using Check = std::vector<Finding> (*)(const std::string& file, const std::string& text);

/// The findings of `check` in `files`, as text; empty if there are none.
std::string findings_in(const std::vector<File>& files, Check check) {
    std::string text;
    for (const File& file : files) text += report(check(file.path, file.text));
    return text;
}

std::string repeat(const std::string& text, int times) {
    std::string result;
    for (int k = 0; k < times; ++k) result += text;
    return result;
}

}  // namespace

TEST_CASE("there are sources to check") {
    CHECK(sources("src").size() > 5);
}

TEST_CASE("every room includes only the rooms that it may") {
    CHECK(findings_in(sources("src"), check_includes) == "");
}

TEST_CASE("no source is longer than 700 lines, no header than 250") {
    CHECK(findings_in(sources("src"), check_length) == "");
    CHECK(findings_in(sources("tests"), check_length) == "");
}

TEST_CASE("a comment is a sentence, and no noun clause") {
    CHECK(findings_in(sources("src"), check_comments) == "");
    CHECK(check_comments("a.h", "/// What is held.\nint a();\n").size() == 1);
    CHECK(check_comments("a.h", "    // Of the last row.\n").size() == 1);
    CHECK(check_comments("a.h", "/// Holds the row.\n/// Of several the first.\n").empty());
    CHECK(check_comments("a.h", "int a = b / c;  // What is held.\n").empty());
}

TEST_CASE("no function is longer than 100 lines") {
    CHECK(findings_in(sources("src"), check_functions) == "");
}

TEST_CASE("nine of ten functions have at most 30 lines") {
    std::vector<int> lengths;
    std::string longer;
    for (const File& file : sources("src")) {
        for (const Function& function : functions_in(file.text)) {
            lengths.push_back(function.length);
            const std::string what = function.name + ": " + std::to_string(function.length);
            if (!most_are_short({function.length})) {
                longer += report({{file.path, function.line, what + " lines"}});
            }
        }
    }
    INFO(longer);
    CHECK(most_are_short(lengths));
}

TEST_CASE("no macro is defined in src") {
    CHECK(findings_in(sources("src"), check_macros) == "");
}

TEST_CASE("every header is guarded") {
    CHECK(findings_in(sources("src"), check_pragma_once) == "");
    CHECK(findings_in(sources("tests"), check_pragma_once) == "");
}

TEST_CASE("ImGui, OpenGL, GLFW, JSON, files and threads stay in their rooms") {
    CHECK(findings_in(sources("src"), check_vocabulary) == "");
}

TEST_CASE("every file includes the headers of the standard library that it needs") {
    CHECK(report(check_standard_headers(all_sources())) == "");
}

TEST_CASE("a header serves more than one source, or a source that has no room for it") {
    CHECK(report(check_single_includers(all_sources())) == "");
}

TEST_CASE("nothing assumes finite arithmetic") {
    for (const char* folder : {"src", "cmake", "third_party"}) {
        CHECK(findings_in(read_files(folder, {".txt", ".cmake", ".h", ".cpp"}), check_arithmetic) ==
              "");
    }
}

TEST_CASE("every link in a page leads to a file or a heading that exists") {
    std::map<std::string, std::string> pages;
    const std::filesystem::path root = headlight::source_folder();
    pages["README.md"] = read_file(root / "README.md").text;
    for (const char* folder : {"assets", "docs", "python"})
        for (const File& file : read_files(folder, {".md"})) pages[file.path] = file.text;
    CHECK(report(check_links(pages, [&](const std::string& path) {
              return std::filesystem::exists(root / path);
          })) == "");
}

TEST_CASE("includes: an include against the plan is rejected, with file and line") {
    CHECK(report(check_includes("src/core/a.cpp", "\n#include \"ui/panel.h\"\n")) ==
          "src/core/a.cpp:2: core may not include \"ui/panel.h\"\n");
    CHECK(check_includes("src/render/a.cpp", "#include \"model/document.h\"").size() == 1);
    CHECK(check_includes("src/graph/a.cpp", "#include \"core/trace.h\"").size() == 1);
    CHECK(check_includes("src/io/a.cpp", "#include \"render/texture.h\"").size() == 1);
    CHECK(check_includes("src/io/a.cpp", "#include \"exporter.h\"").size() == 1);
}

TEST_CASE("includes: allowed rooms, the three common headers and comments are accepted") {
    CHECK(check_includes("src/ui/a.cpp", "#include \"core/trace.h\"").empty());
    CHECK(check_includes("src/main.cpp", "#include \"cli/commands.h\"").empty());
    CHECK(check_includes("src/text/a.cpp", "#include \"core/error.h\"").empty());
    CHECK(check_includes("src/graph/a.cpp", "#include \"core/matrix.h\"").empty());
    CHECK(check_includes("src/core/a.cpp", "// #include \"ui/panel.h\"").empty());
    CHECK(check_includes("src/render/a.cpp", "#include \"embedded_shaders.h\"").empty());
}

TEST_CASE("includes: commands do not use the window, except the one that pictures it") {
    CHECK(report(check_includes("src/cli/a.cpp", "#include \"ui/panel.h\"")) ==
          "src/cli/a.cpp:1: cli may not include \"ui/panel.h\"\n");
    CHECK(check_includes("src/cli/a.cpp", "#include \"views/scene.h\"").empty());
    CHECK(check_includes("src/cli/export_command.cpp", "#include \"ui/panel.h\"").empty());
}

TEST_CASE("lengths: one line too many is rejected") {
    CHECK(check_length("src/core/a.cpp", repeat("\n", 700)).empty());
    CHECK(report(check_length("src/core/a.cpp", repeat("\n", 701))) ==
          "src/core/a.cpp:701: 701 lines; the limit is 700\n");
    CHECK(check_length("src/core/a.h", repeat("\n", 250)).empty());
    CHECK(check_length("src/core/a.h", repeat("\n", 251)).size() == 1);
}

TEST_CASE("functions: one line too many is rejected, with its name") {
    const std::string fits = "namespace n {\nint f(int x) {\n" + repeat("x;\n", 98) + "}\n}\n";
    CHECK(check_functions("src/core/a.cpp", fits).empty());
    const std::string longer = "namespace n {\nint f(int x) {\n" + repeat("x;\n", 99) + "}\n}\n";
    CHECK(report(check_functions("src/core/a.cpp", longer)) ==
          "src/core/a.cpp:2: f has 101 lines; the limit is 100\n");
}

TEST_CASE("functions: more than one long function in ten is rejected") {
    CHECK(most_are_short({1, 1, 1, 1, 1, 1, 1, 1, 30, 31}));
    CHECK_FALSE(most_are_short({1, 1, 1, 1, 1, 1, 1, 31, 31}));
    CHECK(most_are_short({}));
}

TEST_CASE("functions_in: members, constructors, operators and templates are found") {
    const auto found = functions_in(
        "struct S : Base<int> {\n"
        "    S(int a) : a_(a), b_{a} {\n        run();\n    }\n"
        "    bool operator==(const S&) const { return true; }\n"
        "    int a_ = 0, b_{0};\n"
        "};\n"
        "const std::vector<int> table = {1, 2};\n"
        "template <class T>\nauto make(T t) -> std::vector<T> {\n    return {t};\n}\n"
        "void S::draw() const {\n    if (a_) {\n        auto f = [] { return 1; };\n    }\n}\n");
    REQUIRE(found.size() == 4);
    CHECK(found[0].name == "S");
    CHECK(found[0].line == 2);
    CHECK(found[0].length == 3);
    CHECK(found[1].length == 1);
    CHECK(found[2].name == "make");
    CHECK(found[2].length == 3);
    CHECK(found[3].name == "S::draw");
    CHECK(found[3].length == 5);
}

TEST_CASE("functions_in: braces in comments, literals and macros do not count") {
    const auto found = functions_in(
        "void f() {\n    // {\n    char c = '{';\n    auto s = \"{\\\"{\";\n"
        "    auto r = R\"x({\n{)x\";\n    int n = 1'000;\n#if A\n    /* { */\n#endif\n}\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].length == 11);
}

TEST_CASE("macros: a definition is rejected, a use is not") {
    CHECK(check_macros("src/core/a.h", "#  define A 1\n").size() == 1);
    CHECK(check_macros("src/core/a.h", "// #define A 1\n#ifdef A\n#endif\n").empty());
}

TEST_CASE("headers: one without a guard is rejected") {
    CHECK(check_pragma_once("src/core/a.h", "// #pragma once\nint a;\n").size() == 1);
    CHECK(check_pragma_once("src/core/a.h", "// A.\n#pragma once\n").empty());
    CHECK(check_pragma_once("src/core/a.cpp", "int a;\n").empty());
}

TEST_CASE("vocabulary: a name in the wrong room is rejected, in the right one it is accepted") {
    CHECK(report(check_vocabulary("src/core/a.cpp", "\nImGui::Text(\"\");")) ==
          "src/core/a.cpp:2: ImGui:: belongs into ui and app\n");
    CHECK(check_vocabulary("src/ui/a.cpp", "ImGui::Text(\"\");").empty());
    CHECK(check_vocabulary("src/ui/a.cpp", "ImGui::SetKeyboardFocusHere();").size() == 1);
    CHECK(check_vocabulary("src/ui/a.cpp", "glClear(0);").size() == 1);
    CHECK(check_vocabulary("src/render/a.cpp", "glClear(0);").empty());
    CHECK(check_vocabulary("src/render/a.cpp", "glfwInit();").size() == 1);
    CHECK(check_vocabulary("src/app/a.cpp", "glfwInit();").empty());
    CHECK(check_vocabulary("src/model/a.cpp", "nlohmann::json j;").size() == 1);
    CHECK(check_vocabulary("src/io/a.cpp", "nlohmann::json j;").empty());
    CHECK(check_vocabulary("src/figure/a.cpp", "#include <fstream>").size() == 1);
    CHECK(check_vocabulary("src/core/a.cpp", "#include <thread>").size() == 1);
    CHECK(check_vocabulary("src/cli/a.cpp", "#include <curl/curl.h>").size() == 1);
    CHECK(check_vocabulary("src/io/a.cpp", "curl_easy_init();").size() == 1);
    CHECK(check_vocabulary("src/download/a.cpp", "curl_easy_init();").empty());
    CHECK(check_vocabulary("src/core/a.cpp", "// no ImGui:: here\nglobal(1);").empty());
}

TEST_CASE("links: a lost file and a lost heading are found, others and examples are accepted") {
    const std::string example = "```\n[x](none.md)\n```\n`[x](none.md)` [x](https://a.b/none.md)\n";
    const std::map<std::string, std::string> pages = {
        {"docs/a.md",
         example + "[b](b.md#who-is-it) [here](#a-b-1) [i](../i.png)\n## A: b\n# A b\n"},
        {"docs/b.md", "## Who is “it”?\n[a](a.md#a-b-2)\n[none](none.md)\n"}};
    const auto exists = [&](const std::string& path) {
        return path == "i.png" || pages.contains(path);
    };
    CHECK(report(check_links(pages, exists)) ==
          "docs/b.md:2: docs/a.md has no #a-b-2\ndocs/b.md:3: there is no docs/none.md\n");
}

TEST_CASE("arithmetic: a flag that assumes finite numbers is rejected") {
    CHECK(check_arithmetic("cmake/a.cmake", "-O2 -ffast-math").size() == 1);
    CHECK(check_arithmetic("cmake/a.cmake", "-O2 -fno-math-errno").empty());
}

TEST_CASE("standard headers: a name without its header is rejected, once for each header") {
    const std::string text =
        "#include <string>\n\nbool is_space(std::uint32_t c);\nstd::uint8_t low(std::string s);\n";
    CHECK(report(check_standard_headers({{"src/io/a.cpp", text}})) ==
          "src/io/a.cpp:3: std::uint32_t needs <cstdint>\n");
    CHECK(check_standard_headers({{"src/io/a.cpp", "#include <cstdint>\n" + text}}).empty());
    CHECK(report(check_standard_headers({{"src/io/a.cpp", "// #include <cstdint>\n" + text}})) ==
          "src/io/a.cpp:4: std::uint32_t needs <cstdint>\n");
}

TEST_CASE("standard headers: a header of the project may include them, at any depth") {
    const std::map<std::string, std::string> texts = {
        {"src/io/a.cpp", "#include \"io/b.h\"\nstd::vector<int> a;\n"},
        {"src/io/b.h", "#include \"core/c.h\"\n"},
        {"src/core/c.h", "#include <vector>\n"},
        {"tests/io/d.cpp", "#include \"../bad/e.h\"\nstd::vector<int> d;\nstd::mutex m;\n"},
        {"tests/bad/e.h", "#include \"io/b.h\"\n"}};
    CHECK(report(check_standard_headers(texts)) == "tests/io/d.cpp:3: std::mutex needs <mutex>\n");
}

TEST_CASE("headers: one that serves one source with room for it is rejected") {
    std::map<std::string, std::string> texts = {
        {"src/io/a.h", repeat("\n", 100)},
        {"src/io/a.cpp", "#include \"io/a.h\"\n" + repeat("\n", 299)},
        {"src/io/b.cpp", "#include \"io/a.h\"\n" + repeat("\n", 299)}};
    CHECK(report(check_single_includers(texts)) ==
          "src/io/a.h:1: only src/io/b.cpp includes it, and has room for it\n");
    texts["src/io/b.cpp"] += "\n";
    CHECK(check_single_includers(texts).empty());
}

TEST_CASE("headers: one that a header or two sources include is accepted") {
    CHECK(check_single_includers({{"src/io/a.h", "\n"}, {"src/io/b.h", "#include \"io/a.h\"\n"}})
              .empty());
    CHECK(check_single_includers({{"src/io/a.h", "\n"},
                                  {"src/io/b.cpp", "#include \"io/a.h\"\n"},
                                  {"tests/io/a_test.cpp", "#include \"io/a.h\"\n"}})
              .empty());
}

TEST_CASE("standard headers: headers of other libraries do not count") {
    CHECK(report(check_standard_headers(
              {{"src/ui/a.h", "#include <imgui.h>\nstd::uint64_t shown(ImGuiID id);\n"}})) ==
          "src/ui/a.h:2: std::uint64_t needs <cstdint>\n");
}

TEST_CASE("standard headers: if several headers define a name, any of them will do") {
    for (const char* header : {"vector", "set", "string"})
        CHECK(check_standard_headers({{"src/io/a.cpp", std::string("#include <") + header +
                                                           ">\nauto n = std::ssize(a);\n"}})
                  .empty());
    CHECK(check_standard_headers({{"src/io/a.cpp", "auto n = std::ssize(a);\n"}}).size() == 1);
}

TEST_CASE("standard headers: literals, comments and unknown names do not count") {
    CHECK(check_standard_headers({{"src/io/a.cpp", "// std::map\nauto s = \"std::set\";\n"}})
              .empty());
    CHECK(report(check_standard_headers({{"src/io/a.cpp", "\nstd::strng s;\n"}})) ==
          "src/io/a.cpp:2: std::strng is in no row of tests/style/standard_names.cpp\n");
    CHECK(
        check_standard_headers({{"src/io/a.cpp", "std::size_t n; std::is_same_v<A, B>;"}}).size() ==
        1);
}
