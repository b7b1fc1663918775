#include "ui/tabs/tab_commands.h"

#include "io/files/file.h"
#include "ui/window/desks.h"

namespace headlight {

std::vector<StudyTab> study_tabs(const Studies& studies) {
    const std::vector<const NumberedStudy*> row = studies.tabs(studies.kind());
    if (row.size() < 2) return {};
    const std::vector<std::string> names = tab_names(studies, studies.kind());
    std::vector<StudyTab> tabs;
    for (std::size_t k = 0; k < row.size(); ++k) {
        const Workspace& space = *row[k]->space;
        tabs.push_back(
            {.number = row[k]->number,
             .name = names[k],
             .what = space.file.empty() ? names[k] + "\nof no file yet" : path_text(space.file),
             .is_shown = row[k]->number == studies.number(),
             .is_changed = has_changes(space)});
    }
    return tabs;
}

void open_copy(Desks& desks) {
    desks.studies.add_copy();
}

void close_tab(Desks& desks) {
    desks.files.close(desks.studies.number());
}

void show_next_tab(Desks& desks) {
    desks.studies.turn(Studies::Turn::Next);
}

void show_previous_tab(Desks& desks) {
    desks.studies.turn(Studies::Turn::Previous);
}

void take_tab_request(Desks& desks, const TabRequest& request) {
    if (!desks.studies.find(request.number)) return;
    if (request.what == TabRequest::Close) return desks.files.close(request.number);
    desks.studies.show_number(request.number);
}

std::optional<Obstacle> no_tabs(const Desks& desks) {
    if (desks.presentation.is_on()) return Obstacle{};  // they are not seen
    if (has_tabs(desks.studies.kind())) return std::nullopt;
    return Obstacle{"tabs", "there are none here; show Sentence, Alignment, Graph or Image"};
}

}  // namespace headlight
