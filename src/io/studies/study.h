// A study as text: *.headlight, JSON that people can read and write by hand.
//
// docs/study-format.md describes every key, with its default and its range.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/document.h"

namespace headlight {

struct JsonSource;

/// The version that is written; higher ones are refused.
inline constexpr int kStudyVersion = 1;

/// The longest text of a sentence study.
inline constexpr std::size_t kMaxTextBytes = 1'000'000;

/// A part of the view of a study when it was saved, in the words of `headlight export`: an option
/// without its dashes, and its value. An option that is repeated has several words.
struct ViewWord {
    std::string name, value;

    bool operator==(const ViewWord&) const = default;
};
using ViewWords = std::vector<ViewWord>;

/// The place that a study is written to.
struct StudyPlace {
    std::filesystem::path folder = {};  // a recording in it is named relative to it
    std::string weights_file = {};      // in the folder; empty: it is not known
};

/// Writes a study: read_study(write_study(d)) == d, to the last bit of every number. Weights that
/// are not inside are named, and not written. A view is written if there is one.
std::string write_study(const Document& document, const StudyPlace& place = {},
                        const ViewWords& view = {});

/// Reads a study. Throws Error with the line, the key and what is allowed there; `source_name` is
/// the file's name in the message. Nodes without places all get 0, 0 (see give_places in
/// open_document.h); a recording and a file of weights are not opened yet.
Document read_study(std::string_view bytes, std::string_view source_name);
Document read_study(const JsonSource& source);
/// Reads the view of the same study; it is empty where the file has none. Whether the study has the
/// things that the words name is not known yet. Throws Error as read_study does.
ViewWords read_view(const JsonSource& source);

/// Writes one of the edits of a study, as it stands in its file.
std::string write_edit(const Intervention& intervention);
Intervention read_edit(std::string_view bytes, std::string_view source_name);

}  // namespace headlight
