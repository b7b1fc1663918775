// What an export evaluates of the studies that it draws.
#include "cli/export_views.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>
#include <string>

#include "cli/output/streams.h"
#include "headlight_run.h"

namespace headlight::export_views_test {

/// Whether the trace has the values of the tensor at the end of the path.
bool has_values(const Trace& trace, const std::string& path) {
    return trace.at("blocks.0.attn." + path).value != nullptr;
}

TEST_CASE("export: of two studies that are compared, only what is drawn is evaluated") {
    const TemporaryFolder folder;
    const std::string pattern = "blocks.0.attn.heads.1.pattern";
    ExportStudy options;
    options.output = "a.svg";
    options.choice.matrices = {pattern};
    options.shown.with = folder.file("other.headlight");
    REQUIRE(headlight_run({"new", "sentence", "the dog saw the moon", "--heads", "2", "--d-model",
                           "6", "-o", *options.shown.with})
                .err == "");
    const Document study = document_of(small_sentence(folder));
    for (const char* view : {"compared", "words", "flow"}) {
        INFO(view);
        options.what = view;
        std::ostringstream out, err;
        const Streams streams{out, err};
        Workspace space(study, {});
        look_at(space, options, streams);
        REQUIRE(space.page);
        choose(space, space.page->at(pattern), options, streams);
        const Trace* other = space.comparison.trace();
        REQUIRE(other);
        for (const Trace* trace : {space.page.get(), other}) {
            CHECK(has_values(*trace, "heads.1.pattern"));
            CHECK_FALSE(has_values(*trace, "heads.0.QK"));  // on demand
            CHECK_FALSE(has_values(*trace, "heads.1.QK"));
        }
    }
}

}  // namespace headlight::export_views_test
