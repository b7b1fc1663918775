// What stands in a study and changes every number: commands that print numbers say it.
#include <doctest/doctest.h>

#include "core/operations/operations.h"
#include "headlight_run.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "model/changes.h"

namespace headlight::set_by_hand_test {
namespace {

const std::string kAblated = "blocks.0.attn.heads.1.z", kPinned = "blocks.1.attn.heads.0.pattern";

}  // namespace

TEST_CASE("commands that print numbers say which matrices are set by hand") {
    const TemporaryFolder folder;
    const std::string plain = folder.file("plain.headlight"), study = folder.file("a.headlight");
    headlight_run({"new", "induction", "-o", plain});
    Document document = document_of(plain);
    ablate(document, kAblated, Ablation::Zero);
    document.interventions[kPinned].set(2, 1, 0.5f);
    document.interventions["blocks.0.attn.heads.0.W_Q"].set(0, 0, 1);
    document.interventions["blocks.0.attn.heads.0.W_Q"].is_on = false;
    save_document(study, document, Backup::Keep);
    const std::string note = "a.headlight: 2 matrices are set by hand: “" + kAblated;
    const std::vector<std::string> commands[] = {
        {"logits", study},
        {"sweep", study},
        {"run", study, "--tensor", kPinned, "-o", folder.file("run.json")},
        {"compare", plain, study, "--tensor", kPinned},
        {"compare", study, plain, "--tensor", kPinned},
        {"heads", study},
        {"composition", study},
        {"list", study},
        {"explain", study, kPinned, "2", "1"}};
    for (const std::vector<std::string>& command : commands) {
        CAPTURE(command.front());
        const Ran ran = headlight_run(command);
        const std::size_t at = ran.err.find(note);
        CHECK(at != std::string::npos);
        CHECK(contains(ran.err, kPinned));
        CHECK(ran.err.find(note, at + 1) == std::string::npos);
    }
    CHECK_FALSE(contains(headlight_run({"logits", plain}).err, "set by hand"));
}

TEST_CASE("weights that are all set by hand are no surprise, but a pin among them is") {
    const TemporaryFolder folder;
    const std::string study = small_sentence(folder);
    Document document = document_of(study);
    const Trace trace = trace_of(study);
    for (const Tensor& tensor : trace.tensors())
        if (tensor.operation() == &operations::seeded_weight)
            document.interventions[tensor.path()] = intervene_on_all(*tensor.value);
    save_document(study, document, Backup::Keep);
    CHECK(contains(headlight_run({"list", study}).err, "weights set by hand"));
    CHECK_FALSE(contains(headlight_run({"list", study}).err, "matri"));
    document.interventions["blocks.0.attn.heads.0.pattern"].set(0, 0, 0.5f);
    save_document(study, document, Backup::Keep);
    CHECK(contains(headlight_run({"list", study}).err, "1 matrix is set by hand: “blocks.0"));
}

}  // namespace headlight::set_by_hand_test
