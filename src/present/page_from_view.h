// A page made from what is seen: its directives repeat the view, and name the origin of the study.
#pragma once

#include "present/lecture.h"
#include "views/training_snapshot.h"
#include "views/view_figure.h"

namespace headlight {

/// The places of a new page's study and of its lecture.
struct PagePlace {
    std::filesystem::path file = {};    // of the study, if it is saved as it is
    std::filesystem::path folder = {};  // of the lecture; empty: it has none yet
};

/// Returns the directives that show the view again; those of the study first. A study that is
/// neither ready nor saved is put inside the lecture. Throws Error if that is impossible: a study
/// with weights from a file must be saved first.
Directives directives_from_view(const Scene& scene, ViewId view, const PagePlace& place,
                                Lecture& lecture);

/// Returns the directives that show the curves of a training as they are now; their tables are put
/// inside the lecture. Throws Error if no step was made.
Directives directives_from_training(const TrainingSnapshot& training, Lecture& lecture);

/// Returns the legend of a curve of that table: “held-out”, without the number that tells a table
/// of directives_from_training from an earlier one; any other name as it is.
std::string curve_legend(const std::string& table);

/// Suggests a title: "A of head 2", "A(it, cat) of head 2".
std::string title_from_view(const Scene& scene, ViewId view);

/// Returns the changes of a study as one directive; nothing if they are equal. They must be of one
/// kind and have the same weights.
std::optional<Directive> change_directive(const Document& before, const Document& after);

}  // namespace headlight
