// The printed size of labels in exported figures, as a ruler would measure it.
#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

#include "cli/command_line.h"
#include "figure/figure_look.h"
#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::export_type_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";
const char* const kTwelve = "The animal did not cross the street because it was too tired";

std::string twelve_words(const TemporaryFolder& folder) {
    const std::string study = folder.file("twelve.headlight");
    REQUIRE(headlight_run({"new", "sentence", kTwelve, "--heads", "2", "-o", study}).err == "");
    return study;
}

/// A figure in an SVG file.
struct Svg {
    float width_pt = 0, scale = 0;  // of the sheet; points on paper to a point of the figure
    struct Text {
        std::string words;
        float size_pt = 0;
        bool is_turned = false;
    };
    std::vector<Text> texts;

    std::vector<Text> called(const std::string& words) const {
        std::vector<Text> found;
        for (const Text& text : texts)
            if (text.words == words) found.push_back(text);
        return found;
    }
};

float number_after(const std::string& text, const std::string& before, std::size_t from = 0) {
    const std::size_t at = text.find(before, from);
    return at == std::string::npos ? 0 : std::stof(text.substr(at + before.size()));
}

Svg read_svg(const std::string& bytes) {
    Svg svg;
    svg.width_pt = number_after(bytes, " width=\"", bytes.find("<svg"));
    svg.scale = svg.width_pt / number_after(bytes, "viewBox=\"0 0 ");
    for (std::size_t at = 0; (at = bytes.find("<text", at)) != std::string::npos; ++at) {
        const std::size_t open = bytes.find('>', at), close = bytes.find("</text>", open);
        const std::string head = bytes.substr(at, open - at);
        svg.texts.push_back({bytes.substr(open + 1, close - open - 1),
                             number_after(head, "font-size=\"") * svg.scale,
                             contains(head, "rotate(")});
    }
    return svg;
}

struct Exported {
    Svg svg;
    std::string err;
};

Exported exported(const TemporaryFolder& folder, const std::string& study,
                  std::vector<std::string> more) {
    const std::string file = folder.file("a.svg");
    std::vector<std::string> args{"export", study, "-o", file};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = headlight_run(args);
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    return {read_svg(read_file(file)), ran.err};
}

void check_twelve_columns(const Svg& svg, float size_pt) {
    std::istringstream words(kTwelve);
    for (std::string word; words >> word;) {
        INFO(word);
        const auto found = svg.called(word);
        CHECK(found.size() == 2);  // of a row and of a column
        bool is_turned = false;
        for (const Svg::Text& text : found) {
            CHECK(text.size_pt == doctest::Approx(size_pt).epsilon(0.002));
            is_turned = is_turned || text.is_turned;
        }
        CHECK(is_turned);
    }
}

}  // namespace

TEST_CASE("export: twelve words at 85 mm keep all their labels at 7 pt") {
    const TemporaryFolder folder;
    const std::string study = twelve_words(folder);
    const auto [svg, err] =
        exported(folder, study, {"--tensor", kPattern, "--width", "85mm", "--type", "7pt"});
    CHECK(err == "");
    CHECK(svg.width_pt == doctest::Approx(85 / 25.4 * 72).epsilon(0.001));
    check_twelve_columns(svg, 7);
}

TEST_CASE("export: a picture of 241 × 241 points keeps all twelve column labels, turned") {
    const TemporaryFolder folder;
    const auto [svg, err] =
        exported(folder, twelve_words(folder), {"--tensor", kPattern, "--size", "241x241"});
    CHECK(err == "");
    CHECK(svg.width_pt == doctest::Approx(241).epsilon(0.001));
    REQUIRE(!svg.called("animal").empty());
    CHECK(svg.called("animal").front().size_pt > 4.99f);
    check_twelve_columns(svg, svg.called("animal").front().size_pt);
}

TEST_CASE("export: a width alone never makes text smaller than 5 pt") {
    const TemporaryFolder folder;
    const std::string study = twelve_words(folder);
    for (const char* width : {"40mm", "85mm", "180mm", "300pt", "700px"})
        for (const char* size : {"", "900x700"}) {
            std::vector<std::string> args{"--tensor", kPattern, "--width", width};
            if (*size) args.insert(args.end(), {"--size", size});
            const auto [svg, err] = exported(folder, study, args);
            INFO(std::string(width), " ", std::string(size));
            REQUIRE(!svg.called("The").empty());
            CHECK(svg.called("The").front().size_pt >= 4.99f);
        }
}

TEST_CASE("export: in every view the printed width and font size are those requested") {
    const TemporaryFolder folder;
    const std::string image = folder.file("image.headlight"), pair = folder.file("pair.headlight");
    REQUIRE(headlight_run({"new", "image", "-o", image}).err == "");
    REQUIRE(headlight_run({"new", "alignment", kTwelve, "le chat dort", "-o", pair}).err == "");
    const std::string sentence = twelve_words(folder), graph = small_graph(folder);
    const std::vector<std::vector<std::string>> views = {
        {sentence, "--tensor", kPattern},
        {sentence, "--what", "heads"},
        {sentence, "--what", "panels", "--panel", "*.pattern"},
        {sentence, "--what", "flow"},
        {sentence, "--what", "layer"},
        {sentence, "--what", "step"},
        {sentence, "--what", "words"},
        {sentence, "--what", "words", "--words-in", "line"},
        {sentence, "--what", "compared", "--with", "blocks.0.attn.heads.1.pattern"},
        {pair, "--what", "words", "--words-in", "line"},
        {graph, "--what", "graph"},
        {graph, "--what", "step"},
        {image, "--what", "image"}};
    struct Print {
        const char *width, *type;
        float width_mm, type_pt;
    };
    for (const std::vector<std::string>& view : views)
        for (const Print& print : {Print{"85mm", "7pt", 85, 7}, Print{"180mm", "8pt", 180, 8}}) {
            std::vector<std::string> args(view.begin() + 1, view.end());
            args.insert(args.end(), {"--width", print.width, "--type", print.type, "--dpi", "300"});
            const Svg svg = exported(folder, view[0], args).svg;
            INFO(view.back(), " ", std::string(print.width));
            CHECK(svg.width_pt == doctest::Approx(print.width_mm / 25.4 * 72).epsilon(0.001));
            CHECK(svg.scale * kLabelType == doctest::Approx(print.type_pt).epsilon(0.001));
            CHECK(!svg.texts.empty());
            for (const Svg::Text& text : svg.texts) {
                const bool is_number =
                    text.words.find_first_not_of("0123456789.−") == std::string::npos;
                const bool is_index = text.size_pt < print.type_pt && text.words.size() <= 3;
                INFO(text.words);
                CHECK((is_number || is_index || text.size_pt > 0.85f * print.type_pt));
            }
        }
}

TEST_CASE("export: words that do not fit on a line are turned, and so are their numbers") {
    const TemporaryFolder folder;
    const auto [svg, err] = exported(folder, twelve_words(folder),
                                     {"--what", "words", "--words-in", "line", "--row", "it",
                                      "--width", "60mm", "--type", "8pt"});
    CHECK(err == "");
    std::istringstream words(kTwelve);
    for (std::string word; words >> word;) {
        INFO(word);
        const auto found = svg.called(word);
        REQUIRE(found.size() == 1);
        CHECK(found.front().is_turned);
        CHECK(found.front().size_pt == doctest::Approx(8).epsilon(0.002));
    }
    const auto n_numbers = std::ranges::count_if(
        svg.texts, [](const Svg::Text& text) { return text.words.starts_with("0."); });
    CHECK(n_numbers == 12);
}

TEST_CASE("export: labels without room are reported, and a font size without any room is refused") {
    const TemporaryFolder folder;
    const std::string study = twelve_words(folder);
    const auto more =
        exported(folder, study, {"--tensor", kPattern, "--width", "85mm", "--type", "14pt"});
    CHECK(contains(more.err, "of 12 column labels"));
    CHECK(contains(more.err, "; all fit at --type "));
    const Ran tiny = headlight_run({"export", study, "--tensor", kPattern, "-o",
                                    folder.file("b.svg"), "--width", "5mm", "--type", "12pt"});
    CHECK(tiny.code == kExitError);
    CHECK(contains(tiny.err, "[--type] labels of 12pt need a figure that is at least 60mm wide"));
    CHECK(!std::filesystem::exists(folder.file("b.svg")));
    const Ran unknown = headlight_run(
        {"export", study, "--tensor", kPattern, "-o", folder.file("b.svg"), "--type", "seven"});
    CHECK(unknown.code == kExitUsage);
    CHECK(contains(unknown.err, "'seven' is not a size of type such as 7pt, 2.5mm or 14px"));
}

TEST_CASE("export: the command in the caption repeats the font size, and makes the same bytes") {
    const TemporaryFolder folder;
    const std::string study = twelve_words(folder), output = folder.file("a.pdf");
    for (const std::vector<std::string>& look :
         {std::vector<std::string>{"--width", "85mm", "--type", "6.5pt"},
          {"--size", "241x241"},
          {"--width", "60mm"}}) {
        std::vector<std::string> args{"export", study,  "--tensor", kPattern,
                                      "-o",     output, "--caption"};
        args.insert(args.end(), look.begin(), look.end());
        REQUIRE(headlight_run(args).code == kExitDone);
        const std::string caption = read_file(output + ".txt"), before = read_file(output);
        CHECK(contains(caption, "--type 6.5pt") == (look.size() == 4));
        write_file(output, "");
        CHECK(headlight_run(command_in(caption)).code == kExitDone);
        CHECK(read_file(output) == before);
    }
}

}  // namespace headlight::export_type_test
