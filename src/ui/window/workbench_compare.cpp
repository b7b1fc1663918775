// Workbench: comparing the study in the window with something else.
#include <algorithm>

#include "core/error.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "ui/window/comparison_bar.h"
#include "ui/window/workbench.h"

namespace headlight {

void Workbench::compare_with(const std::string& name) {
    const std::string wanted = name;
    if (!workspace().page) throw Error("compare", "there is nothing to compare yet");
    std::string known;
    for (ComparisonChoice& choice : comparison_choices(study_a(workspace()))) {
        if (choice.name == wanted) return workspace().comparison.start(std::move(choice.other));
        known += (known.empty() ? "" : ", ") + choice.name;
    }
    throw Error("compare", "nothing is called “" + name + "”; there is " + known);
}

/// A study of the same kind.
void Workbench::compare_with_file(const std::filesystem::path& file) {
    Document document = open_document(file).document;
    if (needs_places(document)) give_places(document, nullptr);
    if (document.study.index() != session().document().study.index())
        throw Error(path_text(file), "is another kind of study; open one of the same kind");
    static_cast<void>(plan(document));  // a study that cannot be evaluated is not compared with
    workspace().comparison.start(
        OtherStudy{OtherStudy::From::Itself, path_text(file.filename()), std::move(document)});
}

void Workbench::run_comparison(Command command) {
    Workspace& space = workspace();
    if (!space.page) throw Error("compare", "there is nothing to compare yet");
    switch (command) {
        case Command::Compare:
            return dialogs_.chooser.open(comparison_choices(study_a(space)));
        case Command::HoldAsB:
            return compare_with("as it is now");
        case Command::StopComparing:
            return space.comparison.stop();
        case Command::PatchFromB:
            return session().apply(patch_from_b(space.comparison, selection().chosen));
        case Command::SwapSides:
            return swap_sides(space);
        default:
            return;
    }
}

void Workbench::answer_chooser(PanelContext& context) {
    switch (dialogs_.chooser.draw(context)) {
        case ComparisonChooser::Wish::Compare:
            return workspace().comparison.start(dialogs_.chooser.chosen().other);
        case ComparisonChooser::Wish::File:
            return dialogs_.file.ask(FileDialog::Purpose::Compare, workspace().file);
        case ComparisonChooser::Wish::None:
            return;
    }
}

std::vector<PaletteEntry> Workbench::comparison_entries() {
    std::vector<PaletteEntry> entries;
    for (ComparisonChoice& choice : comparison_choices(study_a(workspace())))
        entries.push_back({"Compare with " + choice.name, choice.what, "comparison",
                           [this, other = choice.other] { workspace().comparison.start(other); }});
    return entries;
}

}  // namespace headlight
