// What is NaN is said by every command that prints or draws it.
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

#include "headlight_run.h"
#include "io/files/file.h"
#include "io/studies/study.h"

namespace headlight::nan_test {
namespace {

constexpr Scalar kHuge = 3e38f;

std::string induction_with(const TemporaryFolder& folder,
                           const std::vector<std::pair<std::string, CellValue>>& cells) {
    const std::string study = folder.file("a.headlight");
    headlight_run({"new", "induction", "-o", study});
    Document document = document_of(study);
    for (const auto& [path, cell] : cells)
        document.interventions[path].set(cell.row, cell.column, cell.value);
    save_document(study, document, Backup::Keep);
    return study;
}

/// The last word's logit of the first word of the vocabulary is too large for a number.
std::string with_infinite_logit(const TemporaryFolder& folder) {
    const std::string plain = induction_with(folder, {});
    const Trace trace = trace_of(plain);
    const Tensor& logits = trace.at("logits");
    const Tensor& read = trace[logits.inputs().front()];
    return induction_with(
        folder, {{"W_U", {0, 0, kHuge}}, {read.path(), {read.rows().size - 1, 0, Scalar(9)}}});
}

}  // namespace

TEST_CASE("logits that are NaN or infinite rank no word, and say so") {
    const TemporaryFolder folder;
    const std::string study = with_infinite_logit(folder);
    const std::string why = "are NaN or infinite: nothing ranks them";
    const std::string table = folder.file("a.csv"), figure = folder.file("a.svg");
    const std::vector<std::string> refused[] = {{"logits", study},
                                                {"logits", study, "--parts"},
                                                {"sweep", study},
                                                {"sweep", study, "--quantity", "divergence"},
                                                {"export", study, "--what", "next", "-o", table}};
    for (const std::vector<std::string>& command : refused) {
        CAPTURE(command.back());
        const Ran ran = headlight_run(command);
        CHECK(ran.code == 1);
        CHECK(contains(ran.err, "1 of "));
        CHECK(contains(ran.err, why));
        CHECK(ran.out.empty());
    }
    const Ran lens = headlight_run({"logits", study, "--lens", "--top", "1"});
    CHECK(lens.code == 0);
    CHECK(cells_of(lines_of(lens.out).at(1), '\t').at(1) != "");
    CHECK(cells_of(lines_of(lens.out).back(), '\t').at(1) == "");
    REQUIRE(headlight_run({"export", study, "--what", "logits", "--caption", "-o", figure}).code ==
            0);
    CHECK(contains(read_file(figure), ">1 of "));
    CHECK(contains(read_file(figure), ">NaN or infinite logits</text>"));
    CHECK(contains(read_file(figure + ".txt"), why));
}

TEST_CASE("commands say which computed matrices have NaN, and a figure of all heads which heads") {
    const TemporaryFolder folder;
    const std::string head = "blocks.0.attn.heads.0.";
    const std::string study =
        induction_with(folder, {{head + "q", {1, 0, kHuge}}, {head + "k", {0, 0, kHuge}}});
    const Ran ran =
        headlight_run({"run", study, "--tensor", head + "pattern", "-o", folder.file("a.json")});
    CHECK(ran.code == 0);
    CHECK(contains(ran.err, "NaN; the first is " + head + "pattern, "));
    const std::string figure = folder.file("a.svg");
    REQUIRE(headlight_run({"export", study, "--what", "heads", "--caption", "-o", figure}).code ==
            0);
    for (const std::string& file : {figure, figure + ".txt"})
        CHECK(contains(read_file(file), " heads have NaN or infinity"));
    const std::string plain = induction_with(folder, {});
    CHECK_FALSE(contains(headlight_run({"run", plain, "-o", folder.file("b.npz")}).err, "NaN"));
}

}  // namespace headlight::nan_test
