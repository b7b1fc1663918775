// The language of changes: what --ablate, --set, --patch, --freeze and --add do, in every command.
#include "model/changes.h"

#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/arrays/npy.h"
#include "io/files/file.h"
#include "model/evaluate.h"
#include "text/strings.h"

namespace headlight::changes_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.1.pattern", kZ = "blocks.0.attn.heads.1.z";

/// A network of two layers that foretells words.
struct Fixture {
    TemporaryFolder folder;
    std::string study = folder.file("a.headlight"), changed = folder.file("b.headlight");

    Fixture() { REQUIRE(headlight_run({"new", "induction", "-o", study}).code == kExitDone); }

    /// Returns the trace of the study with these changes, which are saved in it.
    Trace with(std::vector<std::string> options) const {
        options.insert(options.begin(), {"change", study, "-o", changed});
        const Ran ran = headlight_run(options);
        INFO(ran.err);
        REQUIRE(ran.code == kExitDone);
        return trace_of(changed);
    }
    std::string refusal(std::vector<std::string> options) const {
        options.insert(options.begin(), {"change", study, "-o", changed});
        std::filesystem::remove(changed);
        const Ran ran = headlight_run(options);
        CHECK(ran.code == kExitError);
        CHECK_FALSE(std::filesystem::exists(changed));
        return ran.err;
    }
};

const Matrix& value(const Trace& trace, const std::string& path) {
    return *trace.at(path).value;
}

bool are_equal(const Matrix& a, const Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && (a.array() == b.array()).all();
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "--ablate: heads and parts of a layer, by numbers, lists and paths") {
    const Trace plain = trace_of(study);
    const Trace one = with({"--ablate", "0.1"});
    CHECK(value(one, kZ).isZero(0));
    CHECK(
        are_equal(value(one, "blocks.0.attn.heads.0.z"), value(plain, "blocks.0.attn.heads.0.z")));
    CHECK_FALSE(are_equal(value(one, "logits"), value(plain, "logits")));
    const Trace all = with({"--ablate", "0.*, 1.0"});
    CHECK(value(all, "blocks.0.attn.heads.0.z").isZero(0));
    CHECK(value(all, kZ).isZero(0));
    CHECK(value(all, "blocks.1.attn.heads.0.z").isZero(0));
    CHECK_FALSE(value(all, "blocks.1.attn.heads.1.z").isZero(0));
    CHECK(value(with({"--ablate", "1.attn"}), "blocks.1.attn.out").isZero(0));
    CHECK(value(with({"--ablate", "*.heads.1.z"}), "blocks.1.attn.heads.1.z").isZero(0));
    const Matrix mean = value(with({"--ablate", "0.1=mean"}), kZ);
    CHECK((mean.rowwise() - value(plain, kZ).colwise().mean()).cwiseAbs().maxCoeff() < 1e-6f);
    CHECK(contains(refusal({"--ablate", "7.1"}), "there is no '7.1'"));
    CHECK(contains(refusal({"--ablate", ""}), "names no place"));
    CHECK(contains(refusal({"--ablate", "0.1=half"}), "--ablate"));
    CHECK(contains(refusal({"--ablate", "W_U"}), "is not computed"));
}

TEST_CASE_FIXTURE(Fixture, "--set: cells by indices, by names and in whole rows and columns") {
    const Trace plain = trace_of(study);
    CHECK(value(with({"--set", kPattern + "[2,1]=0.5"}), kPattern)(2, 1) == 0.5f);
    const std::string word = axis_label(plain, plain.at(kPattern).rows(), 3);
    CHECK(value(with({"--set", kPattern + "[" + word + "," + word + "]=0.25"}), kPattern)
              .maxCoeff() >= 0.25f);
    const Matrix row = value(with({"--set", kZ + "[2,*]=0"}), kZ);
    CHECK(row.row(2).isZero(0));
    CHECK(are_equal(row.topRows(2), value(plain, kZ).topRows(2)));
    CHECK(value(with({"--set", kZ + "[*,3]=1, " + kZ + "[0,3]=2"}), kZ).col(3).sum() ==
          static_cast<Scalar>(value(plain, kZ).rows() + 1));
    CHECK(contains(refusal({"--set", kPattern + "[2,99]=1"}), "has no column"));
    CHECK(contains(refusal({"--set", kPattern + "[2]=1"}), "[ROW,COLUMN]"));
    CHECK(contains(refusal({"--set", kPattern + "[2,1]=one"}), "is not a number"));
    CHECK(contains(refusal({"--set", "values.npz"}), "neither a file nor a place"));
}

TEST_CASE_FIXTURE(Fixture, "--patch takes values of another text, --freeze those before") {
    const Trace plain = trace_of(study);
    const std::string text = document_of(study).sentence()->text;
    Document other = document_of(study);
    std::string other_text = text;
    other_text.replace(0, text.find(' '), text.substr(text.rfind(' ') + 1));  // as many words
    set_text(other, other_text);
    const Trace there = evaluate(other, nullptr, {.everything = true, .globs = {}});
    REQUIRE(value(there, kZ).rows() == value(plain, kZ).rows());
    const Trace patched = with({"--patch", "0.1", "--from", other_text});
    CHECK(are_equal(value(patched, kZ), value(there, kZ)));
    CHECK(are_equal(value(patched, "blocks.0.attn.heads.0.z"),
                    value(plain, "blocks.0.attn.heads.0.z")));
    const Trace frozen = with({"--ablate", "0.*", "--freeze", "blocks.1.*.pattern"});
    CHECK(are_equal(value(frozen, "blocks.1.attn.heads.0.pattern"),
                    value(plain, "blocks.1.attn.heads.0.pattern")));
    CHECK_FALSE(are_equal(value(with({"--ablate", "0.*"}), "blocks.1.attn.heads.0.pattern"),
                          value(plain, "blocks.1.attn.heads.0.pattern")));
    CHECK(contains(refusal({"--patch", "0.1"}), "give both"));
    CHECK(contains(refusal({"--patch", "0.1", "--from", text + " " + text}), "as many tokens"));
}

TEST_CASE_FIXTURE(Fixture, "--add: a vector on every row of any text, or on one row") {
    const std::string stream = "blocks.0.resid_post", file = folder.file("v.npy");
    const Trace plain = trace_of(study);
    Matrix vector(1, value(plain, stream).cols());
    for (Index k = 0; k < vector.cols(); ++k) vector(0, k) = static_cast<Scalar>(k % 5) - 2;
    write_file(file, write_npy(vector));
    const Trace twice = with({"--add", "2*" + file + "@" + stream});
    const Matrix added = value(twice, stream) - value(plain, stream);
    CHECK((added.rowwise() - 2 * vector.row(0)).cwiseAbs().maxCoeff() < 1e-5f);
    CHECK(are_equal(value(twice, kZ), value(plain, kZ)));
    // It holds in another text, as an ablation does.
    Document document = document_of(changed);
    const Document without = document_of(study);
    Document longer = without;
    const std::string text = document.sentence()->text + " " + document.sentence()->text;
    set_text(document, text);
    set_text(longer, text);
    const Matrix moved =
        value(evaluate(document, nullptr, {.everything = true, .globs = {}}), stream) -
        value(evaluate(longer, nullptr, {.everything = true, .globs = {}}), stream);
    CHECK((moved.rowwise() - 2 * vector.row(0)).cwiseAbs().maxCoeff() < 1e-5f);
    const Matrix one = value(with({"--add", file + "@" + stream + "[3,*]"}), stream);
    CHECK((one.row(3) - value(plain, stream).row(3) - vector.row(0)).cwiseAbs().maxCoeff() < 1e-5f);
    CHECK(are_equal(one.topRows(3), value(plain, stream).topRows(3)));
    std::filesystem::remove(changed);
    CHECK(
        contains(refusal({"--add", file + "@blocks.0.attn.heads.0.z"}), "columns, and the vector"));
    CHECK(contains(refusal({"--add", stream}), "FACTOR*FILE@PATH"));
    CHECK(contains(refusal({"--add", "two*" + file + "@" + stream}), "is not a number"));
}

TEST_CASE_FIXTURE(Fixture, "every command computes under the changes, and a saved study has them") {
    const std::string change = "0.1";
    static_cast<void>(with({"--ablate", change}));
    const std::vector<std::vector<std::string>> commands = {
        {"logits"},
        {"sweep"},
        {"heads"},
        {"composition"},
        {"explain", "logits", "2", "1"},
        {"run", "--tensor", "*.z", "-o", folder.file("run.json")},
        {"export", "--tensor", "logits", "-o", folder.file("export.csv")}};
    for (const std::vector<std::string>& command : commands) {
        CAPTURE(command.front());
        const auto ran_with = [&](const std::string& file, bool is_changed) {
            std::vector<std::string> words = command;
            words.insert(words.begin() + 1, file);
            if (is_changed) words.insert(words.end(), {"--ablate", change});
            const Ran ran = headlight_run(words);
            INFO(ran.err);
            CHECK(ran.code == kExitDone);
            const bool has_file = command.size() > 1 && command[command.size() - 2] == "-o";
            return has_file ? read_file(command.back()) : ran.out;
        };
        const std::string now = ran_with(study, true);
        CHECK(now == ran_with(changed, false));
        if (command.front() != "composition") CHECK(now != ran_with(study, false));
    }
    const Ran compared =
        headlight_run({"compare", study, study, "--tensor", kZ, "--ablate", change});
    CHECK(compared.out == headlight_run({"compare", study, changed, "--tensor", kZ}).out);
}

TEST_CASE_FIXTURE(Fixture, "the command in a caption has the changes, and draws the same picture") {
    const std::string picture = folder.file("heads.svg");
    REQUIRE(headlight_run({"export", study, "--what", "heads", "--ablate", "0.1", "--text",
                           "a b c a b", "-o", picture, "--caption"})
                .code == kExitDone);
    const std::string first = read_file(picture);
    const std::vector<std::string> command = command_in(read_file(picture + ".txt"));
    CHECK(contains(joined(command, " "), "--text a b c a b --ablate 0.1"));
    std::filesystem::remove(picture);
    REQUIRE(headlight_run(command).code == kExitDone);
    CHECK(read_file(picture) == first);
}

TEST_CASE_FIXTURE(Fixture, "what nothing is computed from is noted") {
    const auto notes = [&](const std::string& place) {
        return headlight_run({"logits", study, "--ablate", place}).err;
    };
    CHECK(contains(notes("blocks.0.attn.heads.0.result"), "nothing is computed from it"));
    CHECK_FALSE(contains(notes("0.1"), "nothing is computed"));
}

TEST_CASE_FIXTURE(Fixture, "--json: matrices, words and a difference for programs") {
    const std::string list = headlight_run({"list", study, "--json"}).out;
    CHECK(contains(list, "{\"path\": \"" + kPattern + "\", \"rows\": "));
    CHECK(list.starts_with("["));
    const std::string words = headlight_run({"words", study, "--text", "a b c", "--json"}).out;
    CHECK(words == "[[\"a\", \"b\", \"c\"]]\n");
    const std::string same =
        headlight_run({"compare", study, study, "--tensor", kPattern, "--json"}).out;
    CHECK(contains(same, "\"mean |A − B|\": 0"));
    const std::string other =
        headlight_run({"compare", study, study, "--tensor", kZ, "--ablate", "0.1", "--json"}).out;
    CHECK(contains(other, "\"of B\": 0,"));
    CHECK(contains(other, "\"A\": \"" + kZ + "\""));
}

TEST_CASE("write: the words that follow, without the changes and with them") {
    const TemporaryFolder folder;
    const std::string story = folder.file("story.headlight");
    REQUIRE(headlight_run({"new", "language-model", "once upon a time", "-o", story}).code ==
            kExitDone);
    const std::vector<std::string> plain = {"write", story, "--words", "5"};
    const Ran alone = headlight_run(plain);
    CHECK(lines_of(alone.out).size() == 2);
    CHECK(contains(alone.out, "once upon a time "));
    std::vector<std::string> changed = plain;
    changed.insert(changed.end(), {"--ablate", "*.*", "--ablate", "*.mlp"});
    const std::vector<std::string> both = lines_of(headlight_run(changed).out);
    REQUIRE(both.size() == 3);
    CHECK(cells_of(both[1], '\t')[1] == cells_of(lines_of(alone.out)[1], '\t')[1]);
    CHECK(cells_of(both[2], '\t')[1] != cells_of(both[1], '\t')[1]);
    // With nothing changed in effect, the same numbers draw the same words.
    std::vector<std::string> same = plain;
    same.insert(same.end(), {"--freeze", "blocks.0.attn.heads.0.W_Q"});
    const std::vector<std::string> twice = lines_of(headlight_run(same).out);
    CHECK(cells_of(twice[1], '\t')[1] == cells_of(twice[2], '\t')[1]);
}

}  // namespace headlight::changes_test
