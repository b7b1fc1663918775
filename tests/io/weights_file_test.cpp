#include "io/arrays/weights_file.h"

#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "broken_input.h"
#include "io/arrays/array_file.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/studies/journal.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::weights_file_test {
namespace {

namespace fs = std::filesystem;

const std::string kWeight = "blocks.0.attn.heads.0.W_Q";

Matrix values() {
    Matrix values(32, 8);
    for (Index k = 0; k < values.size(); ++k) values.data()[k] = 1 / static_cast<Scalar>(k + 1);
    return values;
}

/// A study into which a file was imported: a weight, and the rows of "The", "cat" and "sat".
Document imported(const TemporaryFolder& folder) {
    Document document = built_in_sentence();
    document.sentence()->text = "The cat sat";
    const std::string file = folder.with(
        "model.safetensors",
        write_safetensors({{kWeight, values()}, {"embed", Matrix::Constant(3, 32, 2)}}));
    const std::vector<TensorMapping> mappings = {{kWeight, std::nullopt, Turn::Kept, kWeight},
                                                 {"embed", std::nullopt, Turn::Kept, "embed"}};
    import_arrays(document, open_arrays(file), mappings);
    return document;
}

OpenWorks works_of(const Document& document) {
    OpenWork work{.history = History(document), .saved = std::make_shared<Document>(document)};
    work.history.apply({"Type", [](Document& d) { set_text(d, "The cat sat d"); }, "type"});
    return {{0, work}};
}

std::vector<std::string> names_in(const fs::path& folder, const std::string& ending) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ending) names.push_back(entry.path().filename());
    return names;
}

}  // namespace

TEST_CASE("weights: an import becomes weights of the study, not an edit") {
    const TemporaryFolder folder;
    const Document document = imported(folder);
    CHECK(document.interventions.empty());
    REQUIRE(document.weights);
    CHECK(document.weights->origin == "imported from model.safetensors");
    CHECK(*document.weights->matrices.at(kWeight).values == values());
    CHECK(*document.weights->matrices.at("embed").row_names ==
          std::vector<std::string>{"The", "cat", "sat"});
    const Trace trace = evaluate(document, nullptr, {});
    CHECK(trace.at(kWeight).value == document.weights->matrices.at(kWeight).values);
}

TEST_CASE("weights: a second import adds to the first one, a computed matrix is pinned") {
    const TemporaryFolder folder;
    Document document = imported(folder);
    set_cell(document, kWeight, 0, 0, 7);
    const std::string pattern = "blocks.0.attn.heads.0.pattern";
    const std::string file = folder.with(
        "more.safetensors",
        write_safetensors({{kWeight, Matrix::Ones(32, 8)}, {"A", Matrix::Constant(3, 3, 0.5f)}}));
    const std::vector<TensorMapping> mappings = {{kWeight, std::nullopt, Turn::Kept, kWeight},
                                                 {"A", std::nullopt, Turn::Kept, pattern}};
    import_arrays(document, open_arrays(file), mappings);
    CHECK(document.weights->origin == "imported from model.safetensors and more.safetensors");
    CHECK(document.weights->matrices.size() == 2);
    CHECK(*document.weights->matrices.at(kWeight).values == Matrix::Ones(32, 8));
    CHECK(document.interventions.size() == 1);
    CHECK(document.interventions.at(pattern).cells.size() == 9);
}

TEST_CASE("weights: a study names the file beside it, and is read back bit for bit") {
    const TemporaryFolder folder;
    const Document document = imported(folder);
    const fs::path study = folder.file("a.headlight");
    save_document(study, document);
    const std::string text = read_file(study);
    CHECK(contains(text, "\"file\": \"a.weights.safetensors\""));
    CHECK(contains(text, "\"origin\": \"imported from model.safetensors\""));
    CHECK(text.size() < 10'000);
    const Document again = open_document(study).document;
    CHECK(again == document);
    CHECK(*again.weights->matrices.at(kWeight).values == values());
    CHECK(*again.weights->matrices.at("embed").row_names ==
          *document.weights->matrices.at("embed").row_names);
    CHECK(read_safetensors(read_file(weights_path(study)), "it").size() == 2);
}

TEST_CASE("weights: a study saved elsewhere gets a copy of them, written once") {
    const TemporaryFolder folder;
    const Document document = imported(folder);
    fs::create_directory(folder.file("there"));
    save_document(folder.file("a.headlight"), document);
    const Document opened = open_document(folder.file("a.headlight")).document;
    const fs::path there = folder.file("there/b.headlight");
    save_document(there, opened);
    fs::remove(folder.file("a.weights.safetensors"));
    CHECK(open_document(there).document == document);
    const auto written = fs::last_write_time(weights_path(there));
    save_document(there, opened);
    CHECK(fs::last_write_time(weights_path(there)) == written);
}

TEST_CASE("weights: weights inside a study need no file") {
    const TemporaryFolder folder;
    Document document = imported(folder);
    document.weights = inside(document.weights);
    const std::string study = folder.file("a.headlight");
    save_document(study, document);
    CHECK(!fs::exists(weights_path(study)));
    const Document again = open_document(study).document;
    CHECK(again == document);
    CHECK(again.weights->is_inside);
    CHECK(write_study(again) == read_file(study));
}

TEST_CASE("weights: a missing, broken or different file is named, and nothing is lost") {
    const TemporaryFolder folder;
    const Document document = imported(folder);
    const std::string study = folder.file("a.headlight");
    const std::string file = folder.file("a.weights.safetensors");
    save_document(study, document);
    const std::string good = read_file(file), text = read_file(study);
    const auto error = [&] { return error_of([&] { open_document(study); }); };
    fs::remove(file);
    CHECK(contains(error(),
                   "a.weights.safetensors] cannot be opened: No such file or directory; "
                   "the study needs this file beside it"));
    folder.with("a.weights.safetensors", good.substr(0, good.size() / 2));
    CHECK(contains(error(), "the study needs this file beside it"));
    std::string other = good;
    other[other.size() - 3] ^= 0x40;
    folder.with("a.weights.safetensors", other);
    CHECK(contains(error(),
                   "a.weights.safetensors] holds other weights than the study was saved "
                   "with"));
    CHECK(read_file(study) == text);
    folder.with("a.weights.safetensors", good);
    CHECK(open_document(study).document == document);
}

TEST_CASE("weights: the weights of the backup are kept with it") {
    const TemporaryFolder folder;
    const Document before = imported(folder);
    const std::string study = folder.file("a.headlight");
    save_document(study, before, Backup::Keep);
    Document after = before;
    WeightMatrices matrices = before.weights->matrices;
    matrices.erase("embed");
    after.weights = make_weights(std::move(matrices), "imported from b.npz");
    save_document(study, after, Backup::Keep);
    CHECK(open_document(study).document == after);
    fs::rename(study + "~", study);
    CHECK(open_document(study).document == before);
}

TEST_CASE("weights: wrong statements of a study about them are refused") {
    const auto error = [](const std::string& weights) {
        return error_of([&] {
            read_study(R"({"kind": "sentence", "text": "a", "weights": )" + weights + "}", "it");
        });
    };
    CHECK(contains(error(R"({"file": "a", "matrices": {}})"), "has both 'matrices' and a 'file'"));
    CHECK(contains(error(R"({"file": "a", "checksum": "x"})"), "is no checksum"));
    CHECK(contains(error(R"({"matrices": {"W": {"values": [[1, 2], [3]]}}})"),
                   "is not as long as the first row"));
    CHECK(contains(error(R"({"matrices": {"W": {"values": [[1]], "rows": []}}})"),
                   "has 0 names for 1 rows"));
    CHECK(contains(error("7"), "weights"));
}

TEST_CASE("weights: the journal keeps them once, in a separate file") {
    const TemporaryFolder folder;
    Journal journal(folder.file("unsaved/7-1.journal"));
    OpenWorks works = works_of(imported(folder));
    journal.write({works});
    const auto files = names_in(folder.file("unsaved"), ".weights");
    REQUIRE(files.size() == 1);
    const fs::path kept = folder.file("unsaved/" + files[0]);
    const auto written = fs::last_write_time(kept);
    const auto size = fs::file_size(journal.file());
    CHECK(size < 10'000);
    works.at(0).history.apply({"Type", [](Document& d) { set_text(d, "The cat sat do"); }, "type"});
    journal.write({works});
    CHECK(fs::file_size(journal.file()) < size + 3'000);
    CHECK(fs::last_write_time(kept) == written);
    journal.write({});
    CHECK(names_in(folder.file("unsaved"), ".weights").empty());
}

TEST_CASE("weights: unsaved work comes back with them, and they go when it is discarded") {
    const TemporaryFolder folder;
    const Document document = imported(folder);
    const OpenWorks works = works_of(document);
    {
        Journal journal(folder.file("unsaved/7-1.journal"));
        journal.write({works});
        CHECK(find_left_journals(folder.file("unsaved")).empty());  // its window is still open
        CHECK(names_in(folder.file("unsaved"), ".weights").size() == 1);
    }
    const auto found = find_left_journals(folder.file("unsaved"));
    REQUIRE(found.size() == 1);
    const History& history = found[0].unsaved.works.at(0).history;
    CHECK(history.state() == works.at(0).history.state());
    CHECK(*history.state().weights->matrices.at(kWeight).values == values());
    CHECK(history.state().weights->matrices.at(kWeight).values ==
          history.previous()->weights->matrices.at(kWeight).values);
    put_away(found[0]);
    CHECK(fs::is_empty(folder.file("unsaved")));
}

TEST_CASE("weights: without its weights a journal keeps the work, and names what is missing") {
    const TemporaryFolder folder;
    {
        Journal journal(folder.file("unsaved/7-1.journal"));
        journal.write({works_of(imported(folder))});
    }
    for (const std::string& name : names_in(folder.file("unsaved"), ".weights"))
        fs::remove(folder.file("unsaved/" + name));
    const auto found = find_left_journals(folder.file("unsaved"));
    REQUIRE(found.size() == 1);
    const Document document = found[0].unsaved.works.at(0).history.state();
    CHECK(document.sentence()->text == "The cat sat d");
    CHECK(contains(error_of([&] { static_cast<void>(plan(document)); }),
                   "the weights, imported from model.safetensors, are not there any more"));
}

TEST_CASE("weights: files without a journal are removed at the next start") {
    const TemporaryFolder folder;
    const Document document = imported(folder);
    { write_own_weights(folder.file("9-9.0123456789abcdef.weights"), *document.weights); }
    find_left_journals(folder.file(""));
    CHECK(names_in(folder.file(""), ".weights").empty());
}

}  // namespace headlight::weights_file_test
