// The list of what can be chosen of a view: each option is read, written, and idle where it says
// so.
#include "views/view_state.h"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>

#include "../source_folder.h"
#include "core/error.h"
#include "io/files/file.h"
#include "text/strings.h"

namespace headlight::view_state_test {
namespace {

/// Texts that differ from what a new view has; each is written as it was read.
const std::multimap<std::string, std::string> kExamples{{"part", "blocks.1.mlp"},
                                                        {"heads", "2,0,1"},
                                                        {"held", "embed"},
                                                        {"row", "cat"},
                                                        {"row", "3"},
                                                        {"column", "9<-33"},
                                                        {"rows", "it,cat,3..5"},
                                                        {"columns", "0"},
                                                        {"sort", "similarity"},
                                                        {"sort-heads", "entropy"},
                                                        {"sort-heads", "held-word"},
                                                        {"sort-heads", "same word"},
                                                        {"sort-heads", "mean(pattern[*, 0])"},
                                                        {"metric-rows", "all-but-first"},
                                                        {"top", "12"},
                                                        {"against", "embed"},
                                                        {"terms-of", "scores"},
                                                        {"terms", "in-order"},
                                                        {"panel", "*.pattern"},
                                                        {"panel-title", ""},
                                                        {"panel-title", "who"},
                                                        {"across", "3"},
                                                        {"rows-as", "mean"},
                                                        {"words-in", "line"},
                                                        {"strongest", "12.5"},
                                                        {"leave-out", "first-token"},
                                                        {"left-out", "shared"},
                                                        {"word", "cat"},
                                                        {"minus", "street"},
                                                        {"edges", "strongest:12"},
                                                        {"edges", "weight:0.25"},
                                                        {"edges", "chosen"},
                                                        {"nodes", "group"},
                                                        {"nodes", "feature:0"},
                                                        {"nodes", "output:17"},
                                                        {"graph-zoom", "2.5:0.25:1"},
                                                        {"with", "2"},
                                                        {"names", "now|before"},
                                                        {"sides", "difference"},
                                                        {"colors", "signed:Red to blue"},
                                                        {"steps", "log"},
                                                        {"steps", "difference:per-row"},
                                                        {"range", "probability:0.0:0.5"},
                                                        {"range", "fitted"},
                                                        {"far-out", "mean"},
                                                        {"numbers", "never"},
                                                        {"decimals", "3"},
                                                        {"decimals", "difference:0"},
                                                        {"zoom", "4:12.5:3"}};

ViewWords words_of(const std::string& word, const std::string& text) {
    ViewState state;
    const auto wrong = read_view_word(state, word, text);
    REQUIRE(wrong);
    CHECK(*wrong == "");
    return write_view(state);
}

}  // namespace

TEST_CASE("view state: a new one says nothing, and each option is written as it was read") {
    CHECK(write_view(ViewState{}).empty());
    for (const ViewOption& option : view_options()) {
        CAPTURE(option.word);
        CHECK(kExamples.contains(option.word));
        CHECK_FALSE(option.views.empty());
        for (const std::string& needed : option.needs) CHECK(find_view_option(needed));
    }
    for (const auto& [word, text] : kExamples) {
        CAPTURE(word);
        CAPTURE(text);
        CHECK(words_of(word, text) == ViewWords{{word, text}});
    }
}

TEST_CASE("view state: all options of one state are written in the order of the list") {
    ViewState state;
    for (const auto& [word, text] : kExamples) REQUIRE(read_view_word(state, word, text) == "");
    ViewState again;
    const ViewWords words = write_view(state);
    for (const ViewWord& word : words) take_view_word(again, word);
    CHECK(write_view(again) == words);
    const auto place = [](const ViewWord& word) { return find_view_option(word.name); };
    CHECK(std::ranges::is_sorted(words, {}, place));
}

TEST_CASE("view state: what an option cannot be is refused, and changes nothing") {
    const std::pair<const char*, const char*> wrong[] = {{"heads", "1,,2"},
                                                         {"heads", ""},
                                                         {"part", ""},
                                                         {"sort-heads", ""},
                                                         {"metric-rows", "some"},
                                                         {"top", "0"},
                                                         {"top", "61"},
                                                         {"across", "25"},
                                                         {"strongest", "0.01"},
                                                         {"terms", "smallest"},
                                                         {"edges", "strongest:0"},
                                                         {"edges", "weight:nan"},
                                                         {"edges", "some"},
                                                         {"nodes", "feature:-1"},
                                                         {"graph-zoom", "0.5:0:0"},
                                                         {"graph-zoom", "2:1"},
                                                         {"zoom", "4:1"},
                                                         {"colors", "Beige"},
                                                         {"range", "1:0"},
                                                         {"range", "signed:1"},
                                                         {"numbers", "maybe"},
                                                         {"decimals", "7"},
                                                         {"decimals", "-1"},
                                                         {"decimals", "2.5"},
                                                         {"decimals", ""},
                                                         {"steps", "blue:log"},
                                                         {"sides", "none"}};
    for (const auto& [word, text] : wrong) {
        CAPTURE(word);
        CAPTURE(text);
        ViewState state;
        const auto refusal = read_view_word(state, word, text);
        REQUIRE(refusal);
        CHECK(refusal->starts_with("is "));
        CHECK(write_view(state).empty());
        CHECK_THROWS_AS(take_view_word(state, {word, text}), Error);
    }
    ViewState state;
    CHECK_FALSE(read_view_word(state, "colour", "log"));
    CHECK_THROWS_AS(take_view_word(state, {"colour", "log"}), Error);
}

TEST_CASE("view state: an option is idle where its view or its companion is missing") {
    ViewState state;
    state.looks.words.strongest_percent = 50;
    const ViewOption& strongest = *find_view_option("strongest");
    CHECK(why_idle(strongest, ViewId::Words, state).empty());
    CHECK(why_idle(strongest, ViewId::Window, state).empty());
    CHECK(why_idle(strongest, ViewId::Heads, state) == "it is of the views words");
    const ViewOption& left_out = *find_view_option("left-out");
    CHECK(why_idle(left_out, ViewId::Words, state) == "it needs --leave-out");
    state.looks.words.leave_out = WordView::LeaveOut::FirstToken;
    CHECK(why_idle(left_out, ViewId::Words, state).empty());
    CHECK(why_idle(*find_view_option("held"), ViewId::Matrix, state) ==
          "it needs --row or --column");
}

TEST_CASE("view state: an order of heads is idle without what it needs, and is left out then") {
    ViewState state;
    const auto why = [&](const char* word) {
        return why_idle(*find_view_option(word), ViewId::Heads, state);
    };
    CHECK(why("metric-rows") == "it needs --sort-heads");
    take_view_word(state, {"sort-heads", "difference"});
    CHECK(why("sort-heads") == "it needs --with");
    CHECK(why("metric-rows") == "the heads are sorted by no metric that can leave out a row");
    CHECK(without_refusals(state, ViewId::Heads).looks.heads.order == HeadsOrder());
    CHECK(without_refusals(state, ViewId::Window).looks.heads.order == state.looks.heads.order);
    state.with = "2";
    CHECK(why("sort-heads").empty());
    take_view_word(state, {"sort-heads", "held-word"});
    CHECK(why("sort-heads") == "it needs --row or --column");
    state.rows = {"it"};
    CHECK(why("sort-heads").empty());
    take_view_word(state, {"sort-heads", "first"});
    CHECK(why("metric-rows").empty());
    take_view_word(state, {"sort-heads", "layer"});
    CHECK(state.looks.heads.order == HeadsOrder());
}

TEST_CASE("view state: colours of what a view does not draw are idle, and are left out of it") {
    ViewState state;
    const auto colored = [&](const char* text) {
        take_view_word(state, {"range", text});
        return why_idle(*find_view_option("range"), ViewId::Heads, state);
    };
    CHECK(colored("difference:-1:1") == "without --with there is no A − B");
    CHECK(colored("0:0.5").empty());  // one of the two is of what is drawn
    const auto n_left = [&](ViewId view) { return without_refusals(state, view).pictures.size(); };
    CHECK(n_left(ViewId::Heads) == 1);
    CHECK(n_left(ViewId::Row) == 0);
    CHECK(n_left(ViewId::Window) == 2);
    state.with = "2";
    CHECK(n_left(ViewId::Heads) == 2);
    CHECK(n_left(ViewId::Matrix) == 1);
    state.sides = Comparison::Show::Both;
    CHECK(n_left(ViewId::Heads) == 1);
    state.pictures.erase(state.pictures.begin() + 1);
    CHECK(why_idle(*find_view_option("range"), ViewId::Heads, state) ==
          "--sides both draws no A − B");
    CHECK(without_dashes("it needs --row or --column") == "it needs row or column");
}

TEST_CASE("view state: an option of the colours is set alone, and a wrong text changes nothing") {
    const ViewOption &range = *find_view_option("range"), &steps = *find_view_option("steps");
    PictureSettings settings;
    CHECK(set_picture_option(settings, steps, "log", Signs::One) == "");
    CHECK(set_picture_option(settings, range, "0:0.5", Signs::One) == "");
    CHECK(settings.scale == PictureSettings::Scale::Log);
    CHECK(settings.high == Scalar(0.5));
    const PictureSettings before = settings;
    CHECK(set_picture_option(settings, range, "0.5:0", Signs::One).starts_with("'0.5:0' is not"));
    CHECK(set_picture_option(settings, range, "0:1", Signs::Both).find("-1:1") !=
          std::string::npos);
    CHECK(settings == before);
    CHECK(set_picture_option(settings, range, "", Signs::One) == "");
    CHECK(settings.range == PictureSettings::Range::Standard);
    CHECK(settings.scale == PictureSettings::Scale::Log);
}

TEST_CASE("view state: an option of the colours is idle where matrices cannot show it") {
    const ViewOption &range = *find_view_option("range"), &decimals = *find_view_option("decimals");
    PictureSettings settings;
    for (const ViewOption& option : view_options())
        CHECK(why_idle(option, Quantity::Probability, settings) == "");
    CHECK(why_idle(range, Quantity::Mask, settings) != "");
    CHECK(why_idle(decimals, Quantity::Rank, settings) == "ranks are whole numbers");
    settings.scale = PictureSettings::Scale::PerRow;
    settings.numbers = PictureSettings::Numbers::Never;
    CHECK(why_idle(range, Quantity::Signed, settings) != "");
    CHECK(why_idle(decimals, Quantity::Signed, settings) == "there are no numbers");
}

namespace {

std::string cell(std::string text) {
    text = replaced_all(std::move(text), "|", "\\|");
    return replaced_all(std::move(text), "[", "\\[");
}

std::string table_of_views() {
    std::string table = "| `--what` | what one sees | |\n|---|---|---|\n";
    for (const ViewEntry& view : all_views()) {
        if (!view.draw || view.id == ViewId::Training) continue;
        const bool has_table = view.table != nullptr;
        table += fmt::format("| `{}` | {}{} | {} |\n", view.word, cell(view.help),
                             has_table ? "; has a [table](#tables)" : "",
                             view.stands_in_middle() ? "in the window, too" : "");
    }
    return table;
}

std::string table_of_options() {
    std::string table = "| option | is | of the views |\n|---|---|---|\n";
    for (const ViewOption& option : view_options()) {
        std::string views = views_text(option.views);
        if (views.starts_with("of the views ")) views.erase(0, 13);
        if (views.starts_with("of ")) views.erase(0, 3);
        const bool is_often =
            option.given == TextOption::Given::OftenAsWell && !option.type.ends_with("…");
        table += fmt::format("| `--{} {}`{} | {} | {} |\n", option.word, cell(option.type),
                             is_often ? " …" : "", cell(option.help), views);
    }
    return table;
}

/// The part of the text between two marks, which stay.
std::string with_part(const std::string& text, const std::string& name, const std::string& part) {
    const std::string begin = fmt::format("<!-- {} -->\n", name);
    const std::size_t from = text.find(begin), to = text.find(fmt::format("<!-- /{} -->", name));
    REQUIRE(from != std::string::npos);
    REQUIRE(to != std::string::npos);
    return text.substr(0, from + begin.size()) + part + text.substr(to);
}

}  // namespace

TEST_CASE("view state: the tables of docs/commands.md are those of the lists") {
    const std::string file = (source_folder() / "docs/commands.md").string();
    const std::string written = read_file(file);
    std::string made = with_part(written, "views", table_of_views());
    made = with_part(made, "view options", table_of_options());
    if (std::getenv("HEADLIGHT_WRITE_TABLES")) write_file(file, made);
    CHECK_MESSAGE(made == written, "HEADLIGHT_WRITE_TABLES=1 test_scene writes the tables anew");
}

}  // namespace headlight::view_state_test
