// Lecture: pages with text, notes for the speaker, and the parts of a study that they show.
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

/// Adds an error of `act` to the faults; null: it is thrown. Returns false after an error.
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

/// One line of a page's block: "row: it".
struct Directive {
    std::string key, value;
    int line = 0;  // in the file, from 1; 0: it is in none

    bool operator==(const Directive& other) const {
        return key == other.key && value == other.value;
    }
};
using Directives = std::vector<Directive>;

/// Returns the value of the last directive of that key; null if there is none.
const std::string* find_value(const Directives& directives, std::string_view key);
/// Returns the values of all directives of that key, in order.
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
    // The studies, and tables of curves, that stand inside the file as text, by their names.
    std::map<std::string, std::string> studies = {}, curves = {};
    // The line of the file in which each begins; absent: it is in no file.
    std::map<std::string, int> study_lines = {}, curve_lines = {};

    bool operator==(const Lecture& other) const {
        return title == other.title && text == other.text && directives == other.directives &&
               pages == other.pages && studies == other.studies && curves == other.curves;
    }
};

/// Returns the memory that a lecture takes; it shares nothing with another one.
std::size_t count_bytes(const Lecture& lecture, const Lecture* other);

/// A key that can stand in a block, of a page or of the lecture.
struct DirectiveKey {
    const char* key;
    const char* what;  // one sentence, as docs/lectures.md has it
    enum class Of { Page, Lecture, Both } of = Of::Page;
    enum class Given { Once, OftenAsWell } given = Given::Once;
};

/// read_lecture(write_lecture(l)) == l. Throws Error with the line. Keys are checked here; values
/// are checked when a page is opened. A byte order mark at the beginning is left out. With `faults`
/// each error is added there, and what can be read is read; a text without a title is not read at
/// all.
Lecture read_lecture(std::string_view bytes, std::string_view source_name,
                     Faults* faults = nullptr);

/// Reads a file that must be right. Throws an Error that names all faults, one on each line.
Lecture read_right_lecture(std::string_view bytes, std::string_view source_name);

std::string write_lecture(const Lecture& lecture);

/// Returns all keys, including those of views.
const std::vector<DirectiveKey>& directive_keys();

}  // namespace headlight
