// *.lecture as text: what stands before pages, pages, blocks of directives, studies inside.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/recognise.h"
#include "present/file/page_directives.h"
#include "present/lecture.h"
#include "present/page/page_document.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::string_view kTitle = "# ", kPage = "## ", kFence = "```", kBlock = "```headlight",
                           kStudy = "```study ", kCurve = "```curve ";

/// The lines of one text, without the empty ones around it.
struct Lines {
    std::string text;
    std::vector<int> numbers;  // of the lines, in the file

    void add(std::string_view line, int number) {
        if (numbers.empty() && trimmed(line).empty()) return;
        if (!numbers.empty()) text += '\n';
        numbers.push_back(number);
        text += line;
    }
    int first_line() const { return numbers.empty() ? 0 : numbers.front(); }
    std::string take() {
        text.resize(text.find_last_not_of(" \n\r\t") + 1);
        numbers.clear();
        return std::exchange(text, {});
    }
};

class Reader {
  public:
    Reader(std::string_view bytes, std::string_view source, Faults* faults)
        : rest_(bytes), source_(source), faults_(faults) {}

    Lecture read() {
        while (lecture_.title.empty() && next_line()) take_line();
        while (next_line()) attempt(faults_, [&] { take_line(); });
        end_page();
        if (lecture_.title.empty()) fail_at(1, "a lecture begins with a line '# TITLE'");
        return std::move(lecture_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const { fail_at(number_, what); }
    [[noreturn]] void fail_at(int line, const std::string& what) const {
        throw Error({source_, line}, what);
    }

    /// Takes the first line off the text.
    static std::string_view take_line_of(std::string_view& text) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        while (line.ends_with('\r')) line.remove_suffix(1);
        text.remove_prefix(std::min(end + 1, text.size()));
        return line;
    }
    bool next_line() {
        if (rest_.empty()) return false;
        line_ = take_line_of(rest_);
        ++number_;
        return true;
    }

    void take_line() {
        if (line_.starts_with(kPage)) return begin_page();
        if (line_.starts_with(kTitle)) return take_title();
        if (lecture_.title.empty()) {
            if (trimmed(line_).empty()) return;
            fail("a lecture begins with a line '# TITLE'");
        }
        if (line_.starts_with(kStudy))
            return take_inside(kStudy, lecture_.studies, lecture_.study_lines);
        if (line_.starts_with(kCurve))
            return take_inside(kCurve, lecture_.curves, lecture_.curve_lines);
        if (line_.starts_with(kFence)) return take_block();
        if (line_.starts_with('>')) return take_notes();
        if (line_.starts_with('#')) attempt(faults_, [&] { fail_heading(); });
        if (is_indented_mark(line_)) attempt(faults_, [&] { fail_indented(); });
        const bool is_escaped =
            line_.size() > 1 && line_[0] == '\\' &&
            (std::string_view("#>`\\").find(line_[1]) != std::string_view::npos ||
             is_indented_mark(line_.substr(1)));
        text_.add(is_escaped ? line_.substr(1) : line_, number_);
    }

    /// "##A" and "### A" are taken as text, which is hardly meant.
    [[noreturn]] void fail_heading() const {
        const std::size_t end = std::min(line_.find_first_not_of('#'), line_.size());
        const std::string title(trimmed(line_.substr(end)));
        fail(fmt::format("{} is no heading: a page begins with '## {}'; as text it is {}",
                         in_quotes(line_), title.empty() ? "TITLE" : title,
                         in_quotes("\\" + std::string(line_))));
    }

    /// " ## A" is taken as text as well.
    [[noreturn]] void fail_indented() const {
        const std::string rest(trimmed(line_));
        const bool is_block = rest.starts_with(kFence);
        fail(fmt::format("blanks stand before {}: {} begins its line; as text it is {}",
                         in_quotes(rest), is_block ? "a block" : "a heading",
                         in_quotes("\\" + std::string(line_))));
    }

    /// A longer text would take seconds to draw in each frame.
    void check_length(std::string_view what, std::size_t n_bytes, std::size_t most, int line) {
        attempt(faults_, [&] {
            if (n_bytes > most)
                fail_at(line, fmt::format("{} has {} bytes; it can have {}", what, n_bytes, most));
        });
    }

    std::string take_text(Lines& lines, std::string_view what) {
        const int line = lines.first_line();
        std::string text = lines.take();
        check_length(what, text.size(), kMostPageBytes, line);
        return text;
    }

    void take_title() {
        if (!lecture_.title.empty()) fail("there is one title; a page begins with '## '");
        lecture_.title = trimmed(line_.substr(kTitle.size()));
        if (lecture_.title.empty()) fail("the title is empty");
        check_length("the title", lecture_.title.size(), kMostTitleBytes, number_);
    }

    void begin_page() {
        if (lecture_.title.empty()) fail("a lecture begins with a line '# TITLE'");
        end_page();
        std::string title(trimmed(line_.substr(kPage.size())));
        check_length("the title of the page", title.size(), kMostTitleBytes, number_);
        lecture_.pages.push_back({.title = std::move(title), .text = {}, .notes = {}});
        lecture_.pages.back().line = number_;
        block_line_ = 0;
    }

    void end_page() {
        if (lecture_.pages.empty()) {
            const int line = notes_.first_line();
            if (!notes_.take().empty())
                attempt(faults_,
                        [&] { fail_at(line, "notes belong to a page, which begins with '## '"); });
            lecture_.text_lines = text_.numbers;
            lecture_.text = take_text(text_, "the text below the title");
            return;
        }
        LecturePage& page = lecture_.pages.back();
        page.text_lines = text_.numbers;
        page.text = take_text(text_, "the text of the page");
        page.notes = take_text(notes_, "the notes of the page");
    }

    void take_notes() {
        std::string_view note = line_.substr(1);
        if (note.starts_with(' ')) note.remove_prefix(1);
        notes_.add(note, number_);
    }

    static bool begins_page_or_block(std::string_view line) {
        return line.starts_with(kPage) || (line.starts_with(kFence) && trimmed(line) != kFence);
    }
    bool has_block_end() const {
        for (std::string_view rest = rest_; !rest.empty();) {
            const std::string_view line = take_line_of(rest);
            if (trimmed(line) == kFence) return true;
            if (begins_page_or_block(line)) return false;
        }
        return false;
    }
    /// A block that has no end stops here: before a page, another block or an empty line.
    bool ends_here() const {
        std::string_view rest = rest_;
        const std::string_view line = take_line_of(rest);
        return trimmed(line).empty() || begins_page_or_block(line);
    }

    /// Calls `take` for every line up to the end of the block.
    void take_fenced(const auto& take) {
        const int first = number_;
        const bool has_end = has_block_end();
        while ((has_end || !ends_here()) && next_line()) {
            if (trimmed(line_) == kFence) return;
            attempt(faults_, take);
        }
        fail_at(first, "the block that begins here has no end, a line ```");
    }
    /// Reports the fault of a block, and goes on after it.
    void refuse_block(const std::string& what) {
        attempt(faults_, [&] { fail(what); });
        take_fenced([] {});
    }

    /// Takes a study or a table that stands inside the file, under its name.
    void take_inside(std::string_view fence, std::map<std::string, std::string>& into,
                     std::map<std::string, int>& lines) {
        const std::string noun(trimmed(fence.substr(kFence.size())));
        const std::string name(trimmed(line_.substr(fence.size())));
        if (name.empty())
            return refuse_block(fmt::format("a {} needs a name: ```{} NAME", noun, noun));
        if (into.contains(name))
            return refuse_block(fmt::format("there are two {} called {}",
                                            noun == "study" ? std::string("studies") : noun + "s",
                                            in_quotes(name)));
        std::string& inside = into[name];
        lines[name] = number_ + 1;
        take_fenced([&] { inside += std::string(line_) + '\n'; });
    }

    void take_block() {
        constexpr const char* kBlocks =
            "a block is ```headlight, ```study NAME or ```curve NAME, not ";
        if (trimmed(line_) == kFence) fail(kBlocks + in_quotes(line_));
        if (trimmed(line_) != kBlock) return refuse_block(kBlocks + in_quotes(line_));
        if (block_line_ > 0)
            return refuse_block(fmt::format(
                "there is one block ```headlight here already, in line {}", block_line_));
        block_line_ = number_;
        take_fenced([&] {
            if (!trimmed(line_).empty()) take_directive();
        });
    }

    void take_directive() {
        const std::size_t colon = line_.find(':');
        if (colon == std::string_view::npos)
            fail("a line of a block is 'key: value', not " + in_quotes(line_));
        const std::string key(trimmed(line_.substr(0, colon)));
        const auto known =
            std::ranges::find_if(directive_keys(), [&](const auto& k) { return k.key == key; });
        if (known == directive_keys().end()) fail_key(key);
        using Of = DirectiveKey::Of;
        const bool is_of_page = !lecture_.pages.empty();
        if (known->of == (is_of_page ? Of::Lecture : Of::Page))
            fail(fmt::format("{} belongs to {}", in_quotes(key),
                             is_of_page ? "the lecture, before the first page" : "a page"));
        // Texts, matrices and changes of a study have limits of their own.
        if (!changes_study(key))
            check_length(in_quotes(key), line_.size(), kMostPageBytes, number_);
        Directives& into = is_of_page ? lecture_.pages.back().directives : lecture_.directives;
        into.push_back({key, std::string(trimmed(line_.substr(colon + 1))), number_});
    }

    [[noreturn]] void fail_key(const std::string& key) const {
        std::vector<std::string_view> known;
        for (const DirectiveKey& k : directive_keys()) known.emplace_back(k.key);
        const std::string near = suggestion(key, known);
        fail("there is no key " + in_quotes(key) + (near.empty() ? "" : near));
    }

    std::string_view rest_, line_;
    std::string source_;
    Faults* faults_;  // null: the first one is thrown
    int number_ = 0;
    int block_line_ = 0;  // of the page's block; 0: it has none so far
    Lecture lecture_;
    Lines text_, notes_;
};

}  // namespace

const std::string* find_value(const Directives& directives, std::string_view key) {
    const std::string* value = nullptr;
    for (const Directive& directive : directives)
        if (directive.key == key) value = &directive.value;
    return value;
}

std::vector<std::string> values_for(const Directives& directives, std::string_view key) {
    std::vector<std::string> values;
    for (const Directive& directive : directives)
        if (directive.key == key) values.push_back(directive.value);
    return values;
}

Lecture read_lecture(std::string_view bytes, std::string_view source_name, Faults* faults) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    check_text(bytes, std::string(source_name));
    return Reader(bytes, source_name, faults).read();
}

Lecture read_right_lecture(std::string_view bytes, std::string_view source_name) {
    constexpr std::size_t kMostSaid = 12;  // there is no room in the window for more
    Faults faults;
    Lecture lecture = read_lecture(bytes, source_name, &faults);
    if (faults.empty()) return lecture;
    if (faults.size() == 1) throw faults.front();
    std::string all = fmt::format("is not opened: it has {} faults", faults.size());
    for (std::size_t k = 0; k < std::min(faults.size(), kMostSaid); ++k)
        all += "\n" + std::string(faults[k].what());
    if (faults.size() > kMostSaid)
        all += fmt::format("\nand {} more; `headlight check {}` prints all",
                           faults.size() - kMostSaid, source_name);
    throw Error(std::string(source_name), all);
}

namespace {

/// Calls `take` for every line of the text; never for an empty text.
void for_lines(const std::string& text, const auto& take) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        take(text.substr(at, end - at));
        at = end + 1;
    }
}

void add_text(std::string& out, const std::string& text) {
    if (text.empty()) return;
    out += '\n';
    for_lines(text, [&](const std::string& line) {
        const bool is_special =
            !line.empty() && (line[0] == '#' || line[0] == '>' || line[0] == '\\' ||
                              line.starts_with("```") || is_indented_mark(line));
        out += (is_special ? "\\" : "") + line + '\n';
    });
}

void add_directives(std::string& out, const Directives& directives) {
    if (directives.empty()) return;
    out += "\n```headlight\n";
    for (const Directive& directive : directives)
        out += fmt::format("{}: {}\n", directive.key, directive.value);
    out += "```\n";
}

int count_lines(std::string_view text) {
    return static_cast<int>(std::ranges::count(text, '\n'));
}

/// Numbers the lines of blocks that begin after so many lines. Returns how many lines there are
/// after them.
int number_blocks(int n_before, const std::map<std::string, std::string>& blocks,
                  std::map<std::string, int>& lines) {
    constexpr int kEmptyAndFence = 2, kEnd = 1;
    lines.clear();
    for (const auto& [name, inside] : blocks) {
        n_before += kEmptyAndFence;
        lines[name] = n_before + 1;
        n_before += count_lines(inside) + kEnd;
    }
    return n_before;
}

}  // namespace

/// Blocks inside the file come last, and may be large: their lines are only counted.
void number_lines(Lecture& lecture) {
    Lecture words{.title = lecture.title,
                  .text = lecture.text,
                  .directives = lecture.directives,
                  .pages = lecture.pages};
    const std::string text = write_lecture(words);
    Faults faults;
    Lecture read;
    const bool is_read = attempt(&faults, [&] { read = read_lecture(text, "", &faults); });
    if (!is_read || !faults.empty() || !(read == words)) return;
    lecture.text_lines = std::move(read.text_lines);
    lecture.directives = std::move(read.directives);
    lecture.pages = std::move(read.pages);
    const int n_lines = number_blocks(count_lines(text), lecture.studies, lecture.study_lines);
    number_blocks(n_lines, lecture.curves, lecture.curve_lines);
}

std::size_t count_bytes(const Lecture& lecture, const Lecture*) {
    std::size_t bytes = sizeof lecture + lecture.title.size() + lecture.text.size();
    const auto add_list = [&](const Directives& directives) {
        for (const Directive& directive : directives)
            bytes += sizeof directive + directive.key.size() + directive.value.size();
    };
    add_list(lecture.directives);
    for (const LecturePage& page : lecture.pages) {
        bytes += sizeof page + page.title.size() + page.text.size() + page.notes.size() +
                 page.text_lines.size() * sizeof(int);
        add_list(page.directives);
    }
    for (const auto* blocks : {&lecture.studies, &lecture.curves})
        for (const auto& [name, text] : *blocks) bytes += sizeof name + sizeof text + text.size();
    return bytes;
}

std::string write_lecture(const Lecture& lecture) {
    std::string out = fmt::format("# {}\n", lecture.title);
    add_text(out, lecture.text);
    add_directives(out, lecture.directives);
    for (const LecturePage& page : lecture.pages) {
        out += fmt::format("\n## {}\n", page.title);
        add_text(out, page.text);
        if (!page.notes.empty()) out += '\n';
        for_lines(page.notes, [&](const std::string& line) {
            out += line.empty() ? ">\n" : fmt::format("> {}\n", line);
        });
        add_directives(out, page.directives);
    }
    for (const auto& [name, study] : lecture.studies)
        out += fmt::format("\n```study {}\n{}```\n", name, study);
    for (const auto& [name, curve] : lecture.curves)
        out += fmt::format("\n```curve {}\n{}```\n", name, curve);
    return out;
}

}  // namespace headlight
