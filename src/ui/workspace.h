// Workspace: one of the studies that are open in the window, with what is looked at in it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "ui/comparison.h"

namespace headlight {

struct Workspace {
    Workspace(const Document& document, std::function<void()> wake)
        : session(document, wake), comparison(std::move(wake)), saved(document) {}

    Session session;
    Selection selection;
    Comparison comparison;
    Watched watched;
    std::shared_ptr<const Trace> whole, page;  // all sentences, and the one that is shown
    Parts parts;
    int turned = 0;  // which sentence the page is of
    std::filesystem::path file;
    Document saved;
    bool is_new = true;  // nothing was pointed at yet
};

/// Which of the workspaces a study is shown in: recorded patterns with the sentences.
std::size_t workspace_for(const Study& study);

/// Its document, as the side A of a comparison.
StudyA study_a(const Workspace& space);

/// Before a frame: the newest trace, and a selection that fits it.
void prepare(Workspace& space);

/// Lines between words in the middle. There must be a page; throws Error if it has no words.
void show_words(Workspace& space);

/// B in the place of A, and A in that of B.
void swap_sides(Workspace& space);

/// True if it is not as it was saved or opened.
bool has_changes(const Workspace& space);

}  // namespace headlight
