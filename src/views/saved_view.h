// A view's choices made in a selection and a comparison, where names become places of one trace;
// and the view that is kept with a study: what was looked at, in the words of `headlight export`.
//
// Goals: what a hand has chosen comes back, in the window and in a figure; the words are the
// options of the command line, so that people can write them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/components.h"
#include "core/error.h"
#include "expression/item_names.h"
#include "io/studies/study.h"
#include "views/comparison.h"
#include "views/selection.h"
#include "views/view_figure.h"
#include "views/view_state.h"

namespace headlight {

/// Opens the part and chooses the head, before a matrix is chosen. Throws Error if there is no such
/// part.
void open_part(Selection& selection, const Trace& trace, const Components& components,
               const ViewState& state);

/// Shows the matrix large, in its colours, with its held rows and the heads that stand over it.
/// Throws Error if there is no such row or head.
void apply_view(Selection& selection, const TensorIn& tensor, const Components& components,
                const ViewState& state, const TakeNote& note);

/// Opens a study by what a view calls it. Throws Error if there is none.
using OpenStudy = std::function<Document(const std::string& name)>;

/// Returns the B that the state names. `whole` has all sentences. Throws Error if A cannot be
/// compared with it.
Other named_other(const Document& a, const Trace& whole, const ViewState& state,
                  const OpenStudy& open);

/// Returns the words that show the scene again. A comparison is among them if another sentence or
/// another head of the study is B, or a study that was read from a file.
ViewWords saved_view(const Scene& scene);

/// Reads the options among the words. Throws Error if a word is none of a view.
ViewState read_view_words(const ViewWords& words);

/// Returns the last word of that name; null if there is none.
const std::string* find_word(const ViewWords& words, std::string_view name);

// ---- single words, which lectures use too ----

/// Reads "2" as 1, of so many sentences. Throws Error if there is no such sentence.
int sentence_from(const std::string& text, Index n_sentences);
/// Makes an error that says that there is no view of that name, and which one is spelt nearly so.
Error unknown_view(const std::string& where, const std::string& word);
/// Throws Error if no figure of a study is called so.
ViewId figure_from(const std::string& word);
/// Returns the middle of the window that goes with the figure.
ViewId middle_for(ViewId view);
/// Shows in the window what the figure draws.
void show_in_window(Selection& selection, ViewId view);

}  // namespace headlight
