// Twins: what the window exports has the bytes of what `headlight export` writes.
#include <doctest/doctest.h>
#include <functional>

#include "app/driver.h"
#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/files/file.h"
#include "model/changes.h"
#include "views/panels_view.h"

namespace headlight::export_twin_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.1.pattern";

void edit(Driver& d, const std::string& path) {
    d.session().apply(
        {.label = "Set", .change = [&](Document& changed) { set_cell(changed, path, 0, 0, 2); }});
    d.session().end_gesture();
    d.program().loop().wake();
    d.settle();
}

/// A window that exports with captions.
struct Exports : Driver {
    const TemporaryFolder& folder;
    std::vector<std::string> files;

    Exports(const TemporaryFolder& in, const std::string& study) : folder(in) {
        program().open_file(study);
        program().loop().wake();
        settle();
        press(Key::E, Modifier::Ctrl);
        choose("Caption", "yes");
        press(Key::Escape);
    }

    /// Exports a file from the open dialog.
    void make(const std::string& name) {
        files.push_back(folder.file(std::to_string(files.size()) + " " + name));
        click("text File");
        answer_dialog(files.back());
        INFO(name << ": " << message());
        REQUIRE(message().starts_with("Exported to " + files.back()));  // then what had no room
        click("button Dismiss");
    }

    void make(const std::string& view, const std::string& name) {
        press(Key::E, Modifier::Ctrl);
        choose("What", view);
        make(name);
    }

    /// Exports all views that are figures, except the matrix.
    void make_other_views() {
        for (const ViewEntry& view : list_views(scene())) {
            const bool lacks_panels =
                view.id == ViewId::Panels &&
                !list_panels(scene(), FigureLook::Heading::Shown).problem.empty();
            if (view.draw && view.id != ViewId::Matrix && !lacks_panels)
                make(view.title, std::string(view.word) + ".svg");
        }
    }
};

/// The bytes that the command in the caption of `file` makes.
std::string made_again(const TemporaryFolder& folder, const std::string& study,
                       const std::string& file) {
    std::vector<std::string> words = command_in(read_file(file + ".txt"));
    const std::filesystem::path output = file;
    words[1] = study;
    words.back() = folder.file("again" + output.extension().string());
    for (std::string& word : words)  // what lies beside the figure
        if (word.ends_with(".b.headlight")) word = folder.file(word);
    const Ran ran = headlight_run(words);
    INFO(ran.err);
    CHECK((ran.err == "" || contains(ran.err, "left out")));
    return ran.code == kExitDone ? read_file(words.back()) : "";
}

/// The window is closed before the commands run, since one of them opens its own.
void check_twins(const TemporaryFolder& folder, const std::string& study,
                 const std::function<void(Exports&)>& act) {
    std::vector<std::string> files;
    {
        Exports d(folder, study);
        act(d);
        files = d.files;
    }
    CHECK(!files.empty());
    for (const std::string& file : files) {
        const std::string caption = read_file(file + ".txt");
        INFO(caption.substr(0, caption.find("of this study")));
        CHECK(read_file(file) == made_again(folder, study, file));
    }
}

}  // namespace

TEST_CASE("twins: every view of a sentence, with held items, in every picture format") {
    const TemporaryFolder folder;
    check_twins(folder, small_sentence(folder), [](Exports& d) {
        d.click("head 1");
        d.click(CellPlace{kPattern, 1, 0});
        for (const char* extension : {"png", "svg", "pdf", "gif"})
            d.make("Matrix", std::string("matrix.") + extension);
        d.make_other_views();
        d.make("The window itself", "window.png");
    });
}

TEST_CASE("twins: every view of a language model, of a graph and of two texts") {
    for (const std::string name : {"language-model", "karate", "translation"}) {
        CAPTURE(name);
        const TemporaryFolder folder;
        const std::string study = folder.file(name + ".headlight");
        REQUIRE(headlight_run({"new", name, "-o", study}).err == "");
        check_twins(folder, study, [](Exports& d) {
            const Tensor& tensor = d.trace().at(d.selection().chosen);
            d.selection().keep_held(pick_at(d.trace(), tensor, 1, 0));
            d.make_other_views();
        });
    }
}

TEST_CASE("twins: lines between words with all their settings, and several heads") {
    const TemporaryFolder folder;
    check_twins(folder, small_sentence(folder), [](Exports& d) {
        d.press(Key::Escape);
        d.click("word 3");
        d.selection().toggle(pick_item(1));
        d.selection().looks.words = {.layout = WordView::Layout::Line,
                                     .strongest_percent = 40,
                                     .leave_out = WordView::LeaveOut::FirstToken,
                                     .left_out_weight = LeftOutWeight::SharedOut};
        d.selection().looks.rows_as = RowsAs::Mean;
        d.selection().also_heads = {1};
        d.make("Lines between words", "line.svg");
        d.selection().looks.words.layout = WordView::Layout::Columns;
        d.make("Lines between words", "columns.svg");
        d.make("Flow of the part", "flow.svg");
        const Point at = d.locate("part words");
        d.click(at);
        d.make("The window itself", "window.png");
    });
}

TEST_CASE("twins: panels of heads that were chosen, of those beside, and compared") {
    const TemporaryFolder folder;
    const std::string study = folder.file("two.headlight");
    REQUIRE(headlight_run({"new", "sentence", kSentence, "a dog saw a bird", "--heads", "3",
                           "--d-model", "6", "-o", study})
                .err == "");
    check_twins(folder, study, [](Exports& d) {
        const std::string head = "blocks.0.attn.heads.";
        d.selection().looks.panels = {{head + "2.pattern", head + "0.pattern"}, 1};
        d.make("Panels", "named.svg");
        CHECK(contains(read_file(d.files.back() + ".txt"), "(b) Layer 0 · head 0"));
        d.selection().looks.panels = {};
        d.selection().also_heads = {2};
        for (const char* extension : {"png", "svg", "pdf"})
            d.make("Panels", std::string("heads.") + extension);
        compare_with(d.program().workbench().workspace(), "sentence 2");
        d.program().loop().wake();
        d.settle();
        d.make("Panels", "compared.svg");
        d.selection().view = ViewId::Panels;
        d.program().loop().wake();
        d.settle();
        d.make("The window itself", "window.png");
    });
}

TEST_CASE("twins: colours of matrices that are not chosen, other parts, a zoom") {
    const TemporaryFolder folder;
    const std::string study = folder.file("deep.headlight");
    REQUIRE(headlight_run({"new", "sentence", kSentence, "a dog ran", "--layers", "2", "--heads",
                           "2", "--d-model", "6", "--mlp", "gelu", "-o", study})
                .err == "");
    check_twins(folder, study, [](Exports& d) {
        PictureScales& scales = d.selection().scales;
        scales.of(Quantity::Signed).scale = PictureSettings::Scale::Log;
        scales.of(Quantity::Probability).range = PictureSettings::Range::Fixed;
        scales.of(Quantity::Probability).high = Scalar(0.7);
        d.selection().sentence = 1;
        show(d.program().workbench().workspace(), "blocks.1.mlp");
        d.program().loop().wake();
        d.settle();
        d.make("Flow of the part", "mlp.svg");
        d.make("Flow of the layer", "layer.svg");
        d.make("Step as a slide", "step.svg");
        const Trace& trace = d.trace();
        d.selection().choose_tensor(trace, d.scene().components, "blocks.1.attn.heads.1.q");
        d.selection().views.set(trace.at("blocks.1.attn.heads.1.q"), {2, 1, 1});
        d.selection().keep_held(pick_at(trace, trace.at("blocks.1.attn.heads.1.W_Q"), 2, 1));
        d.make("Matrix", "q.svg");
        d.make("Flow of the part", "attention.svg");
    });
}

TEST_CASE("twins: comparisons with a head, a sentence, and the study before an edit") {
    const TemporaryFolder folder;
    const std::string study = folder.file("two.headlight");
    REQUIRE(headlight_run(
                {"new", "sentence", kSentence, "a dog saw a bird", "--heads", "2", "-o", study})
                .err == "");
    check_twins(folder, study, [](Exports& d) {
        for (const char* other : {"head 1", "sentence 2"}) {
            compare_with(d.program().workbench().workspace(), other);
            d.program().loop().wake();
            d.settle();
            d.make("A and B", "compared.svg");
        }
        d.make("The window itself", "window.png");
        d.program().workbench().comparison().show(Comparison::Show::Difference);
        d.make("A and B", "difference.svg");
    });
}

TEST_CASE("twins: the study before an edit lies beside the figure that shows it") {
    const TemporaryFolder folder;
    check_twins(folder, small_sentence(folder), [](Exports& d) {
        edit(d, "blocks.0.attn.heads.0.W_Q");
        compare_with(d.program().workbench().workspace(), "before the last edit");
        d.program().workbench().comparison().show(Comparison::Show::Both);
        d.program().loop().wake();
        d.settle();
        d.press(Key::S, Modifier::Ctrl);
        d.make("A and B", "edited.svg");
    });
}

TEST_CASE("twins: theme, background, width, title and selection of the dialog are options") {
    const TemporaryFolder folder;
    check_twins(folder, small_sentence(folder), [](Exports& d) {
        d.press(Key::E, Modifier::Ctrl);
        d.choose("Theme", "dark");
        d.choose("Background", "transparent");
        d.choose("Title", "off");
        d.choose("Selection", "no");
        d.choose("Dpi", "300");
        d.click("field Width");
        d.type("85mm");
        d.make("look.png");
        CHECK(png_size(read_file(d.files.back())).width == 1004);
        CHECK(contains(read_file(d.files.back() + ".txt"), "--width 85mm --dpi 300 --theme dark"));
    });
}

TEST_CASE("twins: a width and a font size from the dialog, in every format and view") {
    const TemporaryFolder folder;
    check_twins(folder, small_sentence(folder), [](Exports& d) {
        d.press(Key::E, Modifier::Ctrl);
        d.click("field Width");
        d.type("85mm");
        d.click("field Type");
        d.type("7pt");
        d.make("typed.svg");
        CHECK(contains(read_file(d.files.back() + ".txt"), "--width 85mm --type 7pt"));
        for (const char* extension : {"png", "pdf"})
            d.make("Matrix", std::string("typed.") + extension);
        d.make_other_views();
    });
}

TEST_CASE("twins: for a width alone dialog and command choose the same font size") {
    const TemporaryFolder folder;
    check_twins(folder, small_graph(folder), [](Exports& d) {
        d.press(Key::E, Modifier::Ctrl);
        d.click("field Width");
        d.type("60mm");
        d.make("own.svg");
        CHECK(!contains(read_file(d.files.back() + ".txt"), "--type"));
        d.make("Matrix", "list.svg");
    });
}

TEST_CASE("twins: a graph and an image, held items in them, and their flows") {
    const TemporaryFolder folder;
    const std::string image = folder.file("image.headlight");
    REQUIRE(headlight_run({"new", "image", "-o", image}).err == "");
    check_twins(folder, small_graph(folder), [](Exports& d) {
        d.make("Graph", "edge.svg");
        d.selection().keep_held(pick_item(2));
        d.make("Graph", "node.svg");
        d.make("Matrix", "list.svg");
        d.make("Flow of the part", "flow.svg");
    });
    check_twins(folder, image, [](Exports& d) {
        d.selection().keep_held(pick_item(5));
        d.selection().toggle(pick_item(6));
        d.make("Image", "image.svg");
        d.make("The window itself", "window.png");
    });
}

TEST_CASE("twins: in an alignment one held word on the side that is read, and two") {
    const TemporaryFolder folder;
    const std::string study = folder.file("pair.headlight");
    REQUIRE(
        headlight_run({"new", "alignment", "the cat sleeps", "le chat dort", "-o", study}).err ==
        "");
    check_twins(folder, study, [](Exports& d) {
        Pick read;
        read.indices.key = 1;
        read.indices.key_list = d.trace().at(d.selection().chosen).columns().list;
        d.selection().keep_held(read);
        d.make("Lines between words", "words.svg");
        d.make("Matrix", "matrix.svg");
        read.indices.key = 0;
        d.selection().toggle(read);
        d.make("Lines between words", "two words.svg");
        d.make("Matrix", "two columns.svg");
        CHECK(contains(read_file(d.files.back() + ".txt"), "--column 1 --column 0"));
    });
}

TEST_CASE("twins: a graph with its strongest edges, a column as colours, and a zoom") {
    const TemporaryFolder folder;
    const std::string study = folder.file("karate.headlight");
    REQUIRE(headlight_run({"new", "gat", "-o", study}).err == "");
    check_twins(folder, study, [](Exports& d) {
        d.click("node 33");
        d.selection().looks.graph.edges = GraphLook::EdgesShown::Strongest;
        d.selection().looks.graph.n_strongest = 2;
        d.make("Graph", "strongest.svg");
        d.selection().looks.graph.edges = GraphLook::EdgesShown::Weight;
        d.selection().looks.graph.least_weight = 0.15f;
        d.selection().looks.graph.nodes = GraphLook::NodeColors::Output;
        d.selection().looks.graph.column = 3;
        d.make("Graph", "weights.svg");
        d.selection().looks.graph.edges = GraphLook::EdgesShown::Chosen;
        d.selection().looks.graph.nodes = GraphLook::NodeColors::Feature;
        d.selection().looks.graph.zoom = {2.5, 0.625, 0.5};
        d.make("Graph", "chosen.png");
        d.make("Step as a slide", "step.svg");
        d.make("The window itself", "window.png");
    });
}

}  // namespace headlight::export_twin_test
