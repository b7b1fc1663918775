#include "lecture/file/lecture_history.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::int64_t kMostTextBytes = std::int64_t{1} << 30, kMostPage = 1'000'000;

bool is_same_step(const LectureStep& a, const LectureStep& b) {
    return a.lecture == b.lecture && a.label == b.label;
}

bool is_within_letter(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

/// The numbers of bytes that two texts have in common at their beginning and at their end; no
/// letter is cut.
struct CommonEnds {
    std::size_t front = 0, back = 0;
};

CommonEnds common_ends(std::string_view before, std::string_view now) {
    const std::size_t most = std::min(before.size(), now.size());
    CommonEnds common;
    while (common.front < most && before[common.front] == now[common.front]) ++common.front;
    while (common.front > 0 &&
           (is_within_letter(now, common.front) || is_within_letter(before, common.front)))
        --common.front;
    while (common.back < most - common.front &&
           before[before.size() - 1 - common.back] == now[now.size() - 1 - common.back])
        ++common.back;
    while (common.back > 0 && is_within_letter(now, now.size() - common.back)) --common.back;
    return common;
}

/// Returns the texts that are typed, in the order of the file.
std::vector<std::string*> typed_texts(Lecture& lecture) {
    std::vector<std::string*> texts{&lecture.title, &lecture.text};
    for (LecturePage& page : lecture.pages)
        texts.insert(texts.end(), {&page.title, &page.text, &page.notes});
    return texts;
}

/// Writes the texts that a file of lectures does not have to the byte, since it leaves out blanks
/// around them: `, "typed": {"3": "…"}`; empty if there are none.
std::string typed_json(Lecture lecture, const std::string& in_file) {
    Lecture read;
    Faults faults;
    if (!attempt(&faults, [&] { read = read_lecture(in_file, "", &faults); })) return "";
    const std::vector<std::string*> typed = typed_texts(lecture), kept = typed_texts(read);
    if (typed.size() != kept.size()) return "";
    std::string members;
    for (std::size_t k = 0; k < typed.size(); ++k)
        if (*typed[k] != *kept[k])
            append_part(members, ", ", fmt::format("\"{}\": {}", k, json_string(*typed[k])));
    return members.empty() ? "" : fmt::format(", \"typed\": {{{}}}", members);
}

void take_typed(Lecture& lecture, const JsonView& typed) {
    const std::vector<std::string*> texts = typed_texts(lecture);
    typed.for_each_member([&](const std::string& key, const JsonView& text) {
        std::size_t k = texts.size();
        std::from_chars(key.data(), key.data() + key.size(), k);
        if (k >= texts.size()) text.fail("is the text of no page");
        *texts[k] = text.text();
    });
}

/// Writes a step that follows one whose text in a file is `before`; `now` is its own text.
std::string step_json(const LectureStep& step, std::string_view before, const std::string& now) {
    const CommonEnds common = common_ends(before, now);
    const std::string middle = now.substr(common.front, now.size() - common.front - common.back);
    return fmt::format(R"({{"label": {}, "front": {}, "back": {}, "text": {}{}}})",
                       json_string(step.label), common.front, common.back, json_string(middle),
                       typed_json(*step.lecture, now));
}

/// Returns the text of a step that follows one of that text.
std::string text_after(const std::string& before, const JsonView& step) {
    const auto front = static_cast<std::size_t>(step.at("front").integer(0, kMostTextBytes));
    const auto back = static_cast<std::size_t>(step.at("back").integer(0, kMostTextBytes));
    if (front + back > before.size())
        step.fail("keeps more of the text before it than there is: {} of {} bytes", front + back,
                  before.size());
    std::string text = before.substr(0, front);
    text += step.at("text").text();
    text.append(before, before.size() - back, back);
    if (text.size() > static_cast<std::size_t>(kMostTextBytes)) step.fail("has too much text");
    return text;
}

enum class Need { Wanted, Required };

/// Returns null if it is no lecture and need not be one.
std::shared_ptr<Lecture> find_lecture(const std::string& text, const std::string& source,
                                      Need need) {
    try {
        return std::make_shared<Lecture>(read_lecture(text, source));
    } catch (const Error&) {
        if (need == Need::Required) throw;
        return nullptr;
    }
}

}  // namespace

/// The written steps become a piece of the history again: its first steps may be gone, and its last
/// ones.
void LectureHistoryWriter::drop_others(const LectureHistory& history) {
    const auto& steps = history.steps;
    const auto first = std::ranges::find_if(
        written_, [&](const Written& w) { return is_same_step(w.step, steps.front()); });
    const bool begins_elsewhere = first != written_.begin();
    written_.erase(written_.begin(), first);
    if (begins_elsewhere && !written_.empty())
        written_.front().json = step_json(steps.front(), "", write_lecture(*steps.front().lecture));
    std::size_t n_same = 0;
    while (n_same < std::min(written_.size(), steps.size()) &&
           is_same_step(written_[n_same].step, steps[n_same]))
        ++n_same;
    written_.resize(n_same);
}

std::string LectureHistoryWriter::write(const LectureHistory& history,
                                        const std::filesystem::path& file, std::size_t page,
                                        std::optional<std::uint64_t> contents) {
    drop_others(history);
    std::string before = written_.empty() ? "" : write_lecture(*written_.back().step.lecture);
    for (std::size_t k = written_.size(); k < history.steps.size(); ++k) {
        const LectureStep& step = history.steps[k];
        std::string now = write_lecture(*step.lecture);
        written_.push_back({step, step_json(step, before, now)});
        before = std::move(now);
    }
    std::string text = "{\"file\": " + json_string(stored_path(file));
    if (contents) text += ",\n\"contents\": " + json_string(checksum_text(*contents));
    text += fmt::format(",\n\"page\": {},\n\"at\": {},\n\"steps\": [", page, history.at);
    for (std::size_t k = 0; k < written_.size(); ++k) text += (k ? ",\n" : "\n") + written_[k].json;
    return text + "]}\n";
}

KeptLecture read_lecture_history(std::string_view bytes, const std::string& source_name) {
    const JsonSource source{source_name, parse_json(bytes, source_name)};
    const JsonView root(source);
    root.expect_keys({"file", "contents", "page", "at", "steps"});
    const JsonView steps = root.at("steps");
    if (steps.size() == 0) steps.fail("is empty; there is at least one step");
    const auto at = static_cast<std::size_t>(
        root.at("at").integer(0, static_cast<std::int64_t>(steps.size()) - 1));
    KeptLecture kept{{}, path_from_stored(root.at("file").text())};
    if (const auto page = root.find("page"))
        kept.page = static_cast<std::size_t>(page->integer(0, kMostPage));
    if (const auto contents = root.find("contents"))
        kept.contents = parse_checksum(contents->text());
    std::string text;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const JsonView step = steps[k];
        step.expect_keys({"label", "front", "back", "text", "typed"});
        text = text_after(text, step);
        auto lecture = find_lecture(text, source_name, k == at ? Need::Required : Need::Wanted);
        if (const auto typed = step.find("typed"); typed && lecture) take_typed(*lecture, *typed);
        if (k == at) kept.history.at = kept.history.steps.size();
        if (lecture) kept.history.steps.push_back({step.at("label").text(), std::move(lecture)});
    }
    return kept;
}

}  // namespace headlight
