#include "io/studies/journal.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "broken_input.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "model/changes.h"

namespace headlight::journal_test {

namespace fs = std::filesystem;

namespace {

const std::string kWeight = "blocks.0.attn.heads.0.W_Q";

Edit set_weight(float value, std::string gesture = {}) {
    return {.label = "Set W_Q to " + std::to_string(value),
            .change = [value](Document& d) { set_cell(d, kWeight, 3, 2, value); },
            .gesture = std::move(gesture)};
}

OpenWork work_of(const Document& document) {
    return {.history = History(document), .saved = std::make_shared<const Document>(document)};
}

/// A sentence with two steps, one of which is undone, and a graph with one.
OpenWorks two_works() {
    OpenWork sentence = work_of(built_in_sentence());
    sentence.history.apply(set_weight(0.1f));
    sentence.history.apply({"Type", [](Document& d) { set_text(d, "d'août, \"1\"\n\t€"); }});
    sentence.history.undo();
    sentence.file = "/home/me/a.headlight";
    sentence.contents = 0xFFFF'0000'1234'5678;
    OpenWork graph = work_of(built_in_graph());
    graph.history.apply({"Seed", [](Document& d) { d.seed = 1ull << 63; }});
    return {{0, sentence}, {2, graph}};
}

void check_same(const OpenWorks& a, const OpenWorks& b) {
    REQUIRE(a.size() == b.size());
    for (const auto& [place, work] : a) {
        REQUIRE(b.contains(place));
        const OpenWork& other = b.at(place);
        CHECK(*work.saved == *other.saved);
        CHECK(work.file == other.file);
        CHECK(work.contents == other.contents);
        CHECK(work.history.at() == other.history.at());
        REQUIRE(work.history.steps().size() == other.history.steps().size());
        for (std::size_t k = 0; k < work.history.steps().size(); ++k) {
            CHECK(work.history.steps()[k].label == other.history.steps()[k].label);
            CHECK(*work.history.steps()[k].state == *other.history.steps()[k].state);
        }
    }
}

/// The works that a start after a crash would find.
OpenWorks found_in(const Journal& journal) {
    const JournalContents contents = read_journal(read_file(journal.file()));
    CHECK(contents.problem == "");
    return contents.unsaved.works;
}

std::size_t size_of(const Journal& journal) {
    return fs::file_size(journal.file());
}

}  // namespace

TEST_CASE("journal: works come back with their histories, the places in them, and their files") {
    const TemporaryFolder folder;
    Journal journal(folder.file("new folder/a.journal"));
    const OpenWorks works = two_works();
    journal.write({works});
    check_same(found_in(journal), works);
}

TEST_CASE("journal: the number of the shown study comes back; one of version 2 has none") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    const OpenWorks works = two_works();
    const auto shown = [&] { return read_journal(read_file(journal.file())).unsaved.shown; };
    journal.write({works});
    CHECK_FALSE(shown());
    std::string old = read_file(journal.file());
    journal.write({.works = works, .shown = 2});
    CHECK(shown() == 2);
    const std::size_t size = size_of(journal);
    journal.write({.works = works, .shown = 2});
    CHECK(size_of(journal) == size);
    journal.write({.works = works, .shown = 0});
    CHECK(shown() == 0);
    CHECK(size_of(journal) < size + 40);
    old[old.find('3')] = '2';
    const JournalContents contents = read_journal(old);
    CHECK(contents.problem == "");
    CHECK_FALSE(contents.unsaved.shown);
    check_same(contents.unsaved.works, works);
}

TEST_CASE("journal: every kind of change since the last record is recorded") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    OpenWorks works = two_works();
    const auto write = [&] {
        journal.write({works});
        check_same(found_in(journal), works);
    };
    write();
    History& history = works.at(0).history;
    history.redo();
    write();
    history.undo();
    history.undo();
    write();
    history.apply(set_weight(0.25f, "drag"));
    write();
    for (const float value : {0.5f, 0.75f}) history.apply(set_weight(value, "drag"));
    write();
    history.apply({"Reset", [](Document& d) { d.interventions.clear(); }});
    write();
    works.at(0).saved = history.steps()[history.at()].state;
    works.at(0).file.clear();
    works.at(0).contents.reset();
    write();
    works.erase(2);
    write();
    works.at(0).history = History(built_in_alignment());
    write();
    works.emplace(3, work_of(built_in_image()));
    write();
}

TEST_CASE("journal: without changes nothing is written; without works the file is removed") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    OpenWorks works = two_works();
    journal.write({works});
    const std::size_t size = size_of(journal);
    journal.write({works});
    CHECK(size_of(journal) == size);
    journal.write({});
    CHECK(folder.is_empty());
    journal.write({works});
    check_same(found_in(journal), works);
}

TEST_CASE("journal: steps that the history has dropped are dropped") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    OpenWorks works{{0, work_of(built_in_sentence())}};
    History& history = works.at(0).history;
    history = History(built_in_sentence(), 4 * count_bytes(built_in_sentence(), nullptr));
    for (int k = 0; k < 12; ++k) {
        history.apply(set_weight(0.1f * static_cast<float>(k)));
        journal.write({works});
        check_same(found_in(journal), works);
    }
    CHECK(history.steps().size() < 6);
}

TEST_CASE("journal: a small change of a large matrix is a small record") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    Document document = built_in_sentence();
    document.interventions[kWeight] = intervene_on_all(Matrix::Random(200, 200));
    OpenWorks works{{0, work_of(document)}};
    journal.write({works});
    const std::size_t before = size_of(journal);
    works.at(0).history.apply(set_weight(0.125f));
    journal.write({works});
    CHECK(size_of(journal) < before + 1000);
    check_same(found_in(journal), works);
}

TEST_CASE("journal: long texts in any script are recorded") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    std::string text;
    for (int k = 0; k < 20'000; ++k) text += k % 3 == 0 ? "éᾳ" : "𐐷";
    Document document = built_in_sentence();
    document.sentence()->text = text;
    OpenWorks works{{0, work_of(document)}};
    journal.write({works});
    const std::size_t before = size_of(journal);
    for (const char* inserted : {"ᾳ", "è", "𐐸", "x", ""}) {
        constexpr std::size_t kPlace = 13 * 9;  // éᾳ𐐷𐐷 is 13 bytes; éᾳ goes
        const std::string changed = text.substr(0, kPlace) + inserted + text.substr(kPlace + 5);
        works.at(0).history.apply({inserted, [&](Document& d) { set_text(d, changed); }});
        journal.write({works});
        check_same(found_in(journal), works);
    }
    CHECK(size_of(journal) < before + 10'000);
}

TEST_CASE("journal: a long journal is started anew") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    Document document = built_in_sentence();
    document.sentence()->text = std::string(30'000, 'x');
    OpenWorks works{{0, work_of(document)}};
    History& history = works.at(0).history;
    std::size_t largest = 0;
    for (int k = 0; k < 300; ++k) {
        history.apply({"Type", [k](Document& d) { d.sentence()->text[k] = 'y'; }, "type"});
        journal.write({works});
        largest = std::max(largest, size_of(journal));
    }
    CHECK(largest < 5'000'000);
    check_same(found_in(journal), works);
}

TEST_CASE("journal: a truncated journal gives what its complete records say") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    OpenWorks works{{0, work_of(built_in_sentence())}};
    std::vector<std::size_t> ends;
    for (const float value : {0.5f, 0.25f}) {
        works.at(0).history.apply(set_weight(value));
        journal.write({works});
        ends.push_back(size_of(journal));
    }
    const std::string bytes = read_file(journal.file());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const JournalContents cut = read_journal(bytes.substr(0, size));
        INFO("cut to ", size);
        REQUIRE(cut.unsaved.works.size() == (size >= ends[0] ? 1 : 0));
        if (size >= ends[0]) REQUIRE(cut.unsaved.works.at(0).history.steps().size() == 2);
        const bool is_all_of_a_record = size >= ends[0] || size == kJournalTitle.size();
        REQUIRE(cut.problem.empty() == is_all_of_a_record);
    }
}

TEST_CASE("journal: a corrupted journal gives complete records only, or an error") {
    const TemporaryFolder folder;
    Journal journal(folder.file("a.journal"));
    OpenWorks works{{0, work_of(built_in_sentence())}};
    works.at(0).history.apply(set_weight(0.5f));
    journal.write({works});
    works.at(0).history.undo();
    journal.write({works});
    const std::string bytes = read_file(journal.file());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
        const JournalContents contents = read_journal(changed);
        INFO("byte ", at);
        const bool is_last_end = at + 1 == bytes.size();
        REQUIRE((!contents.problem.empty() || is_last_end));
    }
}

TEST_CASE("journal: valid records with wrong contents are refused with their line") {
    const auto problem_of = [](const std::string& object) {
        const std::string line = checksum_text(checksum(object)) + " " + object + "\n";
        return read_journal(std::string(kJournalTitle) + line).problem;
    };
    const std::string start = R"({"0": {"drop": 0, "keep": 0, "at": 0, "steps": [)";
    CHECK(problem_of("{}") == "");
    CHECK(contains(problem_of("[]"), "line 2"));
    CHECK(contains(problem_of("{\"x\": {}}"), "is no workspace"));
    CHECK(contains(problem_of("{\"99\": {}}"), "is no workspace"));
    CHECK(contains(problem_of(R"({"0": {}})"), "drop"));
    CHECK(contains(problem_of(start + "]}}"), "has no step"));
    CHECK(contains(problem_of(start + R"({"label": "", "change": {"edits": {}}}]}})"),
                   "has no study"));
    CHECK(contains(problem_of(R"({"0": {"drop": 1, "keep": 0, "at": 0, "steps": []}})"), "drop"));
    const std::string piece = R"({"of": "00", "start": 0, "end": 0, "text": ""})";
    CHECK(contains(
        problem_of(start + R"({"label": "", "change": {"edits": {}, "study": )" + piece + "}}]}}"),
        "is a change of another text"));
}

TEST_CASE("journals: those of running windows are left alone; the others are found once") {
    const TemporaryFolder folder;
    const OpenWorks works = two_works();
    Journal alive(folder.file("alive.journal"));
    alive.write({works});
    {
        Journal left(folder.file("left.journal"));
        left.write({works});
    }
    std::vector<LeftJournal> found = find_left_journals(folder.file(""));
    REQUIRE(found.size() == 1);
    CHECK(found[0].file == folder.file("left.journal"));
    check_same(found[0].unsaved.works, works);
    CHECK(find_left_journals(folder.file("")).empty());  // the first finder holds it
    found.clear();
    found = find_left_journals(folder.file(""));
    REQUIRE(found.size() == 1);
    CHECK(put_away(found[0]) == "");
    CHECK_FALSE(fs::exists(folder.file("left.journal")));
    CHECK(fs::exists(alive.file()));
    CHECK(find_left_journals(folder.file("no such folder")).empty());
}

TEST_CASE("journals: an unreadable one is kept under another name") {
    const TemporaryFolder folder;
    folder.with("a.journal", "something else");
    std::vector<LeftJournal> found = find_left_journals(folder.file(""));
    REQUIRE(found.size() == 1);
    CHECK(found[0].unsaved.works.empty());
    CHECK(contains(found[0].problem, "does not begin"));
    CHECK(put_away(found[0]) == folder.file("a.bad"));
    CHECK(read_file(folder.file("a.bad")) == "something else");
    CHECK(find_left_journals(folder.file("")).empty());
}

TEST_CASE("journals: one of another version is reported and left alone") {
    const TemporaryFolder folder;
    const std::string file = folder.with("a.journal", "Headlight journal 4: unsaved work\nx\n");
    for (int start = 0; start < 2; ++start) {
        const std::vector<LeftJournal> found = find_left_journals(folder.file(""));
        REQUIRE(found.size() == 1);
        CHECK(found[0].problem ==
              "it is a journal of version 4, and this program reads 3; start the Headlight that "
              "wrote it");
        CHECK(put_away(found[0]) == file);
    }
    CHECK(read_file(file) == "Headlight journal 4: unsaved work\nx\n");
}

TEST_CASE("journal: if the file or its folder is removed, the next record creates it again") {
    const TemporaryFolder folder;
    Journal journal(folder.file("state/a.journal"));
    OpenWorks works = two_works();
    journal.write({works});
    fs::remove_all(folder.file("state"));
    works.at(0).history.redo();
    journal.write({works});
    check_same(found_in(journal), works);
}

}  // namespace headlight::journal_test
