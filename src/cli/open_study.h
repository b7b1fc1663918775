// A study file, opened and evaluated for one command.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "expression/item_names.h"
#include "io/open_document.h"
#include "model/evaluate.h"

namespace headlight {

/// Reads the file as a study, with places for the nodes of a graph; notes what else is to be said
/// of it. Throws Error if the file cannot be read or is nothing that can be opened.
Document open_study(const std::string& file, const Streams& streams,
                    const OpenOptions& options = {});

/// Opens a study with the view that it was saved with.
OpenedFile open_study_and_view(const std::string& file, const Streams& streams);

/// Opens a study for a command that draws nothing: nodes need no places, which take long to find.
/// Notes what is set by hand, as no picture shows it.
Document open_for_numbers(const std::string& file, const Streams& streams);
/// Makes the changes as well.
Document open_for_numbers(const std::string& file, const Changes& changes, const Streams& streams);

/// Takes the text that --sentence chooses out of a recording of several texts: only it is
/// evaluated, and nothing is returned. Otherwise the sentence is returned, to be cut out of the
/// trace. Throws Error if there is no such text. What was set by hand is for the text before, so
/// changes are made after this.
std::optional<Index> take_recorded_text(Document& document, const std::optional<Index>& sentence);

/// From now on open studies and the last trace are kept for the commands that follow.
void keep_between_commands();

/// Evaluates the document. Notes the cells set by hand that the study has no place for, and
/// oddities of recorded patterns that are watched.
Trace evaluate_study(const Document& document, const Watched& watched, const Streams& streams);

/// Returns the page of one of several stacked sentences, counted from 1; the whole trace if none is
/// asked for. Throws Error if there is no such sentence.
std::shared_ptr<const Plan> sentence_page(std::shared_ptr<const Plan> plan,
                                          const std::optional<Index>& sentence);
Trace sentence_page(const Trace& trace, const std::optional<Index>& sentence);

/// Writes notes of one kind, each after `before`: the first twenty, and how many more there are.
void write_notes(const Streams& streams, const std::string& before,
                 std::span<const std::string> notes);

/// Writes one line to the notes: "headlight: note: …".
void write_note(const Streams& streams, std::string_view text);
/// Returns a function that writes such notes.
TakeNote notes_to(const Streams& streams);

}  // namespace headlight
