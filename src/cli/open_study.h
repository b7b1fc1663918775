// A study file, opened and evaluated for one command.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "io/open_document.h"
#include "model/evaluate.h"
#include "scene/options/item_names.h"

namespace headlight {

/// What the file holds as a study, with places for the nodes of a graph; notes what else is to be
/// said of it. Throws Error if the file cannot be read or is nothing that can be opened.
Document open_study(const std::string& file, const Streams& streams,
                    const OpenOptions& options = {});

/// The same with the view that a study was saved with.
OpenedFile open_study_and_view(const std::string& file, const Streams& streams);

/// The same for a command that draws nothing: nodes need no places, which take long to find. Notes
/// what is set by hand, which no picture would say.
Document open_for_numbers(const std::string& file, const Streams& streams);

/// Of a recording of several texts, --sentence chooses the one that is evaluated: it is taken here,
/// and nothing is left. Otherwise the sentence comes back, to be cut out of what was evaluated.
/// Throws Error if there is no such text.
std::optional<Index> take_recorded_text(Document& document, const std::optional<Index>& sentence);

/// Evaluates the document. Notes the cells set by hand that the study has no place for, and what is
/// odd about recorded patterns that are watched.
Trace evaluate_study(const Document& document, const Watched& watched, const Streams& streams);

/// The page of one of several stacked sentences, counted from 1; the whole trace if none is asked
/// for. Throws Error if there is no such sentence.
std::shared_ptr<const Plan> sentence_page(std::shared_ptr<const Plan> plan,
                                          const std::optional<Index>& sentence);
Trace sentence_page(const Trace& trace, const std::optional<Index>& sentence);

/// Notes of one kind, each after `before`: the first twenty, and how many more there are.
void write_notes(const Streams& streams, const std::string& before,
                 std::span<const std::string> notes);

/// Writes one line to the notes: "headlight: note: …".
void write_note(const Streams& streams, std::string_view text);
/// The same, as what takes notes.
TakeNote notes_to(const Streams& streams);

}  // namespace headlight
