// Lecture: pages with text, notes for the speaker, and what of a study they show.
//
// Goals: a page is text and directives, in the order of the file: what is written by hand stays as
// it was written. Not goals: what directives mean (page_view.h), drawing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace headlight {

using Faults = std::vector<Error>;

/// Adds an error of `act` to the faults; null: it is thrown. False after an error.
bool attempt(Faults* faults, const auto& act) {
    try {
        act();
        return true;
    } catch (const Error& error) {
        if (!faults) throw;
        faults->push_back(error);
        return false;
    }
}

/// "row: it", in a page's block.
struct Directive {
    std::string key, value;
    int line = 0;  // in the file, from 1; 0: it is in none

    bool operator==(const Directive& other) const {
        return key == other.key && value == other.value;
    }
};
using Directives = std::vector<Directive>;

/// The value of the last directive of that key; null if there is none.
const std::string* find_value(const Directives& directives, std::string_view key);
/// The values of all of that key, in order.
std::vector<std::string> values_for(const Directives& directives, std::string_view key);

/// The longest text or notes of a page, and the longest question, choice or hint.
inline constexpr std::size_t kMostPageBytes = 20'000;
inline constexpr std::size_t kMostTitleBytes = 500;

struct LecturePage {
    std::string title;
    std::string text;   // lines, as docs/lectures.md describes them; without an end of the last one
    std::string notes;  // for the speaker
    Directives directives = {};
    int line = 0;                      // of the title
    std::vector<int> text_lines = {};  // in the file, of each line of the text; none: not in one

    bool operator==(const LecturePage& other) const {
        return title == other.title && text == other.text && notes == other.notes &&
               directives == other.directives;
    }
};

struct Lecture {
    std::string title;
    std::string text;  // below the title, before the first page
    std::vector<int> text_lines = {};
    Directives directives = {};
    std::vector<LecturePage> pages = {};
    // Inside the file, as text, by their names: studies, and tables of curves.
    std::map<std::string, std::string> studies = {}, curves = {};
    // Of the line in the file that each begins with; absent: it is in none.
    std::map<std::string, int> study_lines = {}, curve_lines = {};

    bool operator==(const Lecture& other) const {
        return title == other.title && text == other.text && directives == other.directives &&
               pages == other.pages && studies == other.studies && curves == other.curves;
    }
};

/// What can stand in a block, of a page or of the lecture.
struct DirectiveKey {
    const char* key;
    const char* what;  // one sentence, as docs/lectures.md has it
    enum class Of { Page, Lecture, Both } of = Of::Page;
    enum class Given { Once, OftenAsWell } given = Given::Once;
};

/// read_lecture(write_lecture(l)) == l. Throws Error with the line. Keys are checked; values are
/// when a page is opened. A byte order mark at the beginning is left out. With `faults` each error
/// is added there, and what can be read is; only of a text without a title nothing is.
Lecture read_lecture(std::string_view bytes, std::string_view source_name,
                     Faults* faults = nullptr);

/// The same of a file that must be right: an Error that names all faults, one a line.
Lecture read_right_lecture(std::string_view bytes, std::string_view source_name);

std::string write_lecture(const Lecture& lecture);

/// All keys, those of views too.
const std::vector<DirectiveKey>& directive_keys();

}  // namespace headlight
