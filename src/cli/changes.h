// Changes of a study before a command looks at it: one language for all commands.
//
//     --ablate 3.1 --ablate '5.*=mean' --ablate 4.mlp       heads, MLPs, attentions of a layer
//     --set 'blocks.0.attn.heads.1.pattern[it,cat]=1'       cells, by index or by name
//     --set 'blocks.3.mlp.post[*,17]=0'                     a neuron
//     --patch 3.1 --from 'another text'                     what it is there
//     --freeze '*.pattern'                                  what it is without the other changes
//     --text 'another text'                                 what it reads
//     --add 4*love.npy@blocks.6.resid_post                  a vector, to every row
//
// Goals: a change is an edit of the study, as one made in the window is; so captions, saved studies
// and sweeps know it. Not goals: changes of a network's settings.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "model/document.h"
#include "model/next_word.h"

namespace headlight {

struct Changes {
    std::vector<std::string> set, ablate, patch, freeze, add;
    std::optional<std::string> from, text;

    bool are_none() const;
    /// Returns them as options of a command.
    std::vector<std::string> arguments() const;
    /// Returns the files that are read.
    std::vector<std::filesystem::path> files() const;
};

/// The options that a command has of its own.
struct OwnOptions {
    bool patches = false, text = false;
};

/// `changes` must live as long as the command.
void add_change_options(Options& command, Changes& changes, OwnOptions own = {});

/// Makes edits of the document: values of --freeze and --patch are those of the document as it was;
/// vectors are added after all else. Throws Error, naming the option, for a place that the study
/// does not have, or values that do not fit it; the document is then as it was.
void make_changes(Document& document, const Changes& changes, const Streams& streams);

/// A study with changes, which are edits there, to be switched off and on.
struct ChangeStudy {
    std::string study;
    Changes changes;
    std::optional<std::string> output;
};
void change_study(const ChangeStudy& options, const Streams& streams);
void add_change_command_options(Options command, ChangeStudy& change);

/// Adds --sampling-temperature and --draw, of the option that says how many words.
void add_sampling_options(Options& command, Sampling& sampling, const std::string& of);

/// The text of a language model, gone on with by so many words; with changes the text without them
/// comes first, drawn by the same numbers.
struct WriteWords {
    std::string study;
    int n_words = 20;
    Sampling sampling = {};
    Changes changes;
    bool json = false;
};
void write_words(const WriteWords& options, const Streams& streams);
void add_write_options(Options command, WriteWords& write);

}  // namespace headlight
