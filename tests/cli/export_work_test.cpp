// Exports in the background, and their cancellation.
#include "views/export/export_work.h"

#include <doctest/doctest.h>
#include <thread>

#include "core/error.h"
#include "headlight_run.h"
#include "io/files/file.h"

namespace headlight::export_work_test {

TEST_CASE("export work: an export that is cancelled halfway leaves the old file unchanged") {
    constexpr Index kSide = 3000;
    const TemporaryFolder folder;
    const Document document = document_of(small_sentence(folder));
    const auto trace =
        std::make_shared<const Trace>(trace_of(folder.file("small sentence.headlight")));
    const Components components = make_components(*trace);
    Selection selection;
    selection.fit(*trace, components);
    const Theme& theme = theme_named(ThemeName::Light);
    const Scene scene{document, *trace, components, selection, theme, nullptr, trace};
    for (const char* name : {"a.csv", "a.tex", "a.json"}) {
        INFO(name);
        ExportChoice choice;
        choice.file = folder.with(name, "as it was");
        ExportWork work = make_work(scene, choice);
        Tensor& large = work.files.front().tensors.front();
        PlannedTensor planned = large.planned();
        planned.rows = planned.columns = {AxisKind::Model, kSide};
        large = Tensor(std::make_shared<const PlannedTensor>(std::move(planned)));
        large.value = std::make_shared<const Matrix>(Matrix::Random(kSide, kSide));
        Progress progress;
        std::jthread impatient([&] {
            while (progress.share() == 0) std::this_thread::yield();
            progress.cancel();
        });
        CHECK_THROWS_AS(at_once(do_work(work, progress)), Cancelled);
        CHECK(progress.share() < 1);
        CHECK(read_file(choice.file) == "as it was");
    }
}

TEST_CASE("export work: numbers are written even if a motion is chosen for pictures") {
    const TemporaryFolder folder;
    const Document document = document_of(small_sentence(folder));
    const Trace trace = trace_of(folder.file("small sentence.headlight"));
    const Components components = make_components(trace);
    Selection selection;
    selection.fit(trace, components);
    const Scene scene{document, trace, components, selection, theme_named(ThemeName::Light)};
    ExportChoice choice;
    choice.film.motion = "walk";
    choice.file = folder.file("a.csv");
    Progress progress;
    CHECK(at_once(do_work(make_work(scene, choice), progress)).text ==
          "Exported to " + folder.file("a.csv"));
    CHECK(!read_file(choice.file).empty());
}

TEST_CASE("export work: the study's own recording is not replaced, not even through links") {
    const TemporaryFolder folder;
    Document document;
    RecordedStudy recorded;
    recorded.file = folder.with("d.npy", "as it was");
    document.study = recorded;
    const auto trace = std::make_shared<const Trace>(trace_of(small_sentence(folder)));
    const Components components = make_components(*trace);
    Selection selection;
    selection.fit(*trace, components);
    const Theme& theme = theme_named(ThemeName::Light);
    const Scene scene{document, *trace, components, selection, theme, nullptr, trace};
    std::filesystem::create_symlink(recorded.file, folder.file("link.npy"));
    for (const char* name : {"d.npy", "link.npy"}) {
        ExportChoice choice;
        choice.file = folder.file(name);
        CHECK_THROWS_AS(make_work(scene, choice), Error);
    }
    ExportChoice elsewhere;
    elsewhere.file = folder.file("other.npy");
    CHECK_NOTHROW(make_work(scene, elsewhere));
}

}  // namespace headlight::export_work_test
