// Tables and pictures of analyses: the window's export, its captions and the commands agree.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <imgui.h>
#include <string>
#include <vector>

#include "app/driver.h"
#include "app_state/workspace.h"
#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"
#include "io/text/csv.h"
#include "views/finished_sweep.h"

namespace headlight::export_tables_test {
namespace {

std::string induction(const TemporaryFolder& folder) {
    const std::string study = folder.file("i.headlight");
    REQUIRE(headlight_run({"new", "induction", "-o", study}).code == 0);
    return study;
}

/// A window that looks at the logits of a study, and exports with captions.
struct Logits : Driver {
    explicit Logits(const std::string& study) {
        program().open_file(study);
        for (int k = 0; k < 200 && !has("part logits"); ++k) rest(0.05);
        click("part logits");
        press(Key::E, Modifier::Ctrl);
        choose("Caption", "yes");
        press(Key::Escape);
        press(Key::Escape);  // lets go of what a new window holds
    }

    void sweep() {
        click("button Sweep");
        for (int k = 0; k < 100 && program().workbench().workspace().sweep.is_running(); ++k)
            rest(0.05);
        settle();
        REQUIRE(scene().sweep != nullptr);
    }

    /// Of what is seen, or of a view.
    std::string make(const std::string& file, const std::string& view = "") {
        press(Key::E, Modifier::Ctrl);
        if (!view.empty()) choose("What", view);
        click("text File");
        answer_dialog(file);
        REQUIRE(message() == "Exported to " + file);
        click("button Dismiss");
        return read_file(file);
    }
};

/// What the command in a caption makes.
std::string made_again(const TemporaryFolder& folder, const std::string& study,
                       const std::string& file) {
    std::vector<std::string> words = command_in(read_file(file + ".txt"));
    words[1] = study;
    words.back() = folder.file("again.svg");
    const Ran ran = headlight_run(words);
    INFO(ran.err);
    return ran.code == kExitDone ? read_file(words.back()) : "";
}

}  // namespace

TEST_CASE("twins: a sweep of the window is the one that its caption's command makes") {
    const TemporaryFolder folder;
    const std::string study = induction(folder);
    const std::string zero = folder.file("zero.svg"), tokens = folder.file("tokens.svg"),
                      path = folder.file("path.svg"), losses = folder.file("losses.svg");
    {
        Logits d(study);
        d.choose("by", "0");
        d.sweep();
        d.make(zero);
        d.make(folder.file("all.svg"), "Logits");
        d.choose("Path to", "the logits alone");
        d.choose("and measure", "the probability");
        d.sweep();
        d.make(path);
        d.choose("Replace", "each layer's parts");
        d.choose("Path to", "everything after");
        d.choose("and measure", "the loss");
        d.sweep();
        d.make(losses);
        d.choose("Replace", "each token");
        d.choose("by", "other tokens'");
        d.choose("and measure", "the divergence");
        d.sweep();
        d.make(tokens);
    }
    for (const std::string& file : {zero, path, losses, tokens}) {
        CAPTURE(file);
        CHECK(contains(read_file(file + ".txt"), "headlight sweep "));
        CHECK(read_file(file) == made_again(folder, study, file));
    }
    CHECK(contains(read_file(path + ".txt"), "--quantity probability --to logits"));
    const std::string of_all = read_file(folder.file("all.svg.txt"));
    CHECK(contains(of_all,
                   "which leaves out the sweep and gives the cards all the room:\n"
                   "headlight sweep i.headlight --row "));
    CHECK(contains(read_file(folder.file("all.svg")), "Change of the logit"));
    CHECK(of_all.starts_with("Logits\nthe likeliest after t\nlogit lens: "));
    CHECK(contains(of_all, "\nwhat adds up to the logit of "));
    CHECK(contains(of_all, "\nChange of the logit: "));
    CHECK(!contains(of_all.substr(0, of_all.find("Made with")), "blocks.0"));
}

TEST_CASE("a caption describes what its picture shows, not the chosen matrix") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder), file = folder.file("a.svg");
    const auto caption = [&](const char* view) {
        const Ran ran = headlight_run({"export", study, "--what", view, "--tensor",
                                       "blocks.0.attn.heads.1.W_Q", "--caption", "-o", file});
        REQUIRE(ran.code == kExitDone);
        const std::string text = read_file(file + ".txt");
        return text.substr(0, text.find("\n\nMade with"));
    };
    const std::string pattern = "A = softmax(Q K^T / √d_k + M)\n5 × 5  query ↓ reads key →\n";
    CHECK(caption("heads").starts_with("All heads\nthe patterns of 2 heads\nLayer 0\n" + pattern));
    CHECK(caption("words").starts_with(
        "Lines between words\nA · head 1 · blocks.0.attn.heads.1.pattern\n" + pattern));
    CHECK(caption("layer").starts_with("Flow of the layer\nLayer 0 · attention · blocks.0.attn\n"));
    CHECK(caption("flow").starts_with("Flow of the part\nLayer 0 · attention\nW_Q · head 1"));
    CHECK(caption("row").starts_with("Largest of the row\nW_Q, row “"));
    CHECK(caption("step").starts_with("Step as a slide\nW_Q · head 1 · blocks.0.attn.heads.1.W_Q"));
    CHECK(caption("matrix").starts_with("Matrix\nW_Q · head 1 · blocks.0.attn.heads.1.W_Q"));
}

TEST_CASE("a caption of numbers is refused, and nothing is written") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.csv");
    const Ran ran = headlight_run({"export", small_sentence(folder), "--tensor",
                                   "blocks.0.attn.heads.1.pattern", "--caption", "-o", file});
    CHECK(ran.code == kExitError);
    CHECK(contains(ran.err, "[--caption] is of pictures; .csv is a format of numbers"));
    CHECK(!std::filesystem::exists(file));
    CHECK(!std::filesystem::exists(file + ".txt"));
}

TEST_CASE("twins: patching from another text, which the caption's command names") {
    const TemporaryFolder folder;
    const std::string study = induction(folder), other = folder.file("b.headlight");
    const std::string text = "q b k f a t z m q b k f a t z m";
    REQUIRE(headlight_run({"new", "induction", text, "-o", other}).code == 0);
    const std::string heads = folder.file("heads.svg"), tokens = folder.file("tokens.svg");
    {
        Logits d(study);
        compare_with_file(d.program().workbench().workspace(), other);
        d.settle();
        d.choose("by", "B's");
        d.sweep();
        d.make(heads);
        d.choose("Replace", "each token");
        d.sweep();
        d.make(tokens);
    }
    for (const std::string& file : {heads, tokens}) {
        CAPTURE(file);
        CHECK(contains(read_file(file + ".txt"), "--do patch "));
        CHECK(contains(read_file(file + ".txt"), "--from '" + text + "'"));
        CHECK(read_file(file) == made_again(folder, study, file));
    }
}

TEST_CASE("numbers of the window are those that the commands write, byte for byte") {
    const TemporaryFolder folder;
    const std::string study = induction(folder);
    std::string swept, parts, lens, next;
    Matrix change;
    {
        Logits d(study);
        d.choose("by", "0");
        parts = d.make(folder.file("w1.csv"), "Where the logit comes from");
        lens = d.make(folder.file("w2.csv"), "Logit lens");
        next = d.make(folder.file("w3.csv"), "Likeliest words");
        d.sweep();
        swept = d.make(folder.file("w4.csv"));
        change = d.scene().sweep->result.change;
    }
    const auto written = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"-o", folder.file("c.csv")});
        const Ran ran = headlight_run(words);
        INFO(ran.err);
        REQUIRE(ran.code == kExitDone);
        CHECK(!contains(ran.err, "without effect"));
        return read_file(folder.file("c.csv"));
    };
    CHECK(parts == written({"export", study, "--what", "attribution"}));
    CHECK(lens == written({"export", study, "--what", "lens"}));
    CHECK(next == written({"export", study, "--what", "next"}));
    CHECK(swept == written({"sweep", study, "--do", "zero"}));
    CHECK(read_csv(swept, "swept").values.rightCols(change.cols()) == change);
    // What is printed are the same cells.
    const std::string printed = headlight_run({"logits", study, "--parts"}).out;
    CHECK(lines_of(printed).size() == lines_of(parts).size());
    CHECK(cells_of(lines_of(printed)[1], '\t') == cells_of(lines_of(parts)[1], ','));
    CHECK(headlight_run({"sweep", study, "--do", "zero"}).out == swept);
    // As many words as docs/commands.md says.
    const auto are_printed = [](const std::string& csv, const Ran& ran) {
        const auto rows = lines_of(csv), lines = lines_of(ran.out);
        CHECK(rows.size() == lines.size());
        for (std::size_t k = 1; k < std::min(rows.size(), lines.size()); ++k)
            CHECK(cells_of(rows[k], ',') == cells_of(lines[k], '\t'));
    };
    are_printed(next, headlight_run({"logits", study, "--top", "20"}));
    const std::string word = cells_of(lines_of(next)[1], ',')[1];
    are_printed(lens, headlight_run({"logits", study, "--of", word, "--lens", "--top", "3"}));
}

TEST_CASE("the view that is looked at is copied, and a picture has no table") {
    const TemporaryFolder folder;
    Logits d(induction(folder));
    d.press(Key::C, Modifier::Ctrl);
    CHECK(std::string(ImGui::GetClipboardText()).starts_with("place\tword\tlogit\tprobability\n"));
    d.sweep();
    d.press(Key::C, Modifier::Ctrl);
    CHECK(contains(d.message(), "The numbers of “Sweep” are in the clipboard: 2 rows."));
    CHECK(std::string(ImGui::GetClipboardText()).starts_with("layer\thead 0\thead 1\n0\t"));
    const Ran ran = headlight_run(
        {"export", folder.file("i.headlight"), "--what", "words", "-o", folder.file("a.csv")});
    CHECK(contains(ran.err, "use --tensor, or --what heads, next, lens, attribution, sweep"));
    CHECK(contains(headlight_run({"export", folder.file("i.headlight"), "--what", "sweep", "-o",
                                  folder.file("a.png")})
                       .err,
                   "no sweep has been done"));
}

TEST_CASE("a comparison's table of heads is written by the window and by both commands alike") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.headlight"), b = folder.file("b.headlight");
    REQUIRE(headlight_run({"new", "sentence", "the cat was tired", "--heads", "2", "-o", a}).code ==
            0);
    REQUIRE(headlight_run({"new", "sentence", "the cat was wide", "--heads", "2", "-o", b}).code ==
            0);
    REQUIRE(headlight_run({"compare", a, b, "--heads", "-o", folder.file("c.csv")}).code == 0);
    REQUIRE(headlight_run({"export", a, "--what", "heads", "--with", b, "-o", folder.file("e.csv")})
                .err == "");
    Driver d;
    d.program().open_file(a);
    d.settle();
    compare_with_file(d.program().workbench().workspace(), b);
    d.click("part all heads");
    d.press(Key::E, Modifier::Ctrl);
    d.click("text File");
    d.answer_dialog(folder.file("w.csv"));
    REQUIRE(contains(d.message(), "Exported to"));
    const std::string compared = read_file(folder.file("c.csv"));
    CHECK(lines_of(compared).size() == 3);
    CHECK(read_file(folder.file("e.csv")) == compared);
    CHECK(read_file(folder.file("w.csv")) == compared);
}

}  // namespace headlight::export_tables_test
