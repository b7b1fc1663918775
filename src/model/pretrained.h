// PretrainedModel: a network that was trained elsewhere, with its tokenizer. Its weights stay in
// its files.
//
// Goals: a study of it is a study of a sentence like any other; millions of numbers are read in
// place, each matrix once. Not goals: files and their names (io/models).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanisms/word_table.h"
#include "model/settings/picture.h"
#include "model/weights.h"
#include "text/subwords/tokenizer.h"

namespace headlight {

/// The place of a tensor's numbers in the source.
struct PretrainedMatrix {
    Index number = 0, rows = 1, columns = 1;
};

/// A model never changes once it is made.
struct PretrainedModel {
    std::string name;                                 // "gpt2"
    std::string folder;                               // absolute
    std::shared_ptr<const Tokenizer> tokenizer = {};  // null: it reads no text
    SharedNames pieces = {};                          // one a row of W_E, by id
    SharedNames shown_pieces = {};                    // the same as a person reads them
    SharedNames plain_pieces = {};                    // those that probes are made of
    std::string start_piece = {}, end_piece = {};     // around a target; empty: it writes none
    SharedNames classes = {};                         // the names of its classes; null: numbers
    PicturePreparation preparation = {};              // of a picture that it reads
    std::shared_ptr<const MatrixSource> source = {};
    std::map<std::string, PretrainedMatrix, std::less<>> matrices = {};  // by tensor path
    double size_bytes = 0;                                               // of all different ones
};

/// Returns the tokens that the model makes of a text, as its tokenizer spells them. Throws Error if
/// it reads no text.
Words tokens_of_text(const PretrainedModel& model, std::string_view text);

/// Returns the tokens of a target, without the one that ends it.
Words tokens_of_target(const PretrainedModel& model, std::string_view text);

/// Returns the text with a token after it. Read again, it may be split into other tokens, as with
/// every tokenizer.
std::string text_with_token(const PretrainedModel& model, const std::string& text,
                            const std::string& token);

/// Returns the pieces that are words of three letters or more; where there are too few for a probe,
/// all that are no special tokens and no punctuation; else all.
SharedNames choose_plain_pieces(const SharedNames& pieces);

/// Returns the rows of W_E, found by the spelling of their piece. kStartWord and kEndWord have the
/// rows of the pieces that stand for them.
WordTable word_table(const SharedModel& model);

/// Lets the plan's leaves read their numbers from the model, and pictures write its tokens as a
/// person reads them. Where the numbers would fill a large part of the memory, they are read anew
/// for every evaluation. Throws Error if the text has more tokens than the model has positions.
void take_model(Plan& plan, const SharedModel& model, const std::string& origin);

/// Returns the paths of the model's matrices that the plan has no place for, in order.
std::vector<std::string> dormant_matrices(const Plan& plan, const PretrainedModel& model);

}  // namespace headlight
