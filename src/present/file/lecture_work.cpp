#include "present/file/lecture_work.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "text/strings.h"
#include "views/saved_view.h"

namespace headlight {
namespace {

constexpr char kTypedMark = '\x1e';  // JSON after it has no such character
constexpr const char* kPageWord = "page";

/// Returns the texts that are typed, in the order of the file.
std::vector<std::string*> typed_texts(Lecture& lecture) {
    std::vector<std::string*> texts{&lecture.title, &lecture.text};
    for (LecturePage& page : lecture.pages)
        texts.insert(texts.end(), {&page.title, &page.text, &page.notes});
    return texts;
}

/// Writes the texts that a file does not have to the byte.
std::string typed_json(Lecture lecture, const std::string& in_file) {
    Lecture read;
    Faults faults;
    if (!attempt(&faults, [&] { read = read_lecture(in_file, "", &faults); })) return "{}";
    const std::vector<std::string*> typed = typed_texts(lecture), kept = typed_texts(read);
    std::string members;
    for (std::size_t k = 0; k < typed.size() && typed.size() == kept.size(); ++k)
        if (*typed[k] != *kept[k])
            append_part(members, ", ", fmt::format("\"{}\": {}", k, json_string(*typed[k])));
    return "{" + members + "}";
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

/// Returns null for a state that is no lecture any more.
std::shared_ptr<const Lecture> find_lecture(const std::string& text) {
    try {
        return std::make_shared<const Lecture>(read_kept_text(text, "kept lecture"));
    } catch (const Error&) {
        return nullptr;
    }
}

}  // namespace

std::string kept_text(const Lecture& lecture) {
    const std::string text = write_lecture(lecture);
    return text + kTypedMark + typed_json(lecture, text);
}

std::string file_text(const std::string& kept_text) {
    return kept_text.substr(0, kept_text.rfind(kTypedMark));
}

Lecture read_kept_text(const std::string& text, const std::string& source_name) {
    const std::string in_file = file_text(text);
    Lecture lecture = read_lecture(in_file, source_name);
    if (in_file.size() == text.size()) return lecture;
    const JsonSource source{source_name, parse_json(text.substr(in_file.size() + 1), source_name)};
    take_typed(lecture, JsonView(source));
    return lecture;
}

std::shared_ptr<const OpenText> LectureWork::make(const OpenLecture& lecture) {
    Texts texts;
    const auto text_of = [&](const std::shared_ptr<const Lecture>& lecture) {
        const auto [at, is_new] = texts.try_emplace(lecture);
        if (!is_new) return at->second;
        const auto before = texts_.find(lecture);
        at->second = before != texts_.end()
                         ? before->second
                         : std::make_shared<const std::string>(kept_text(*lecture));
        return at->second;
    };
    HistoryOf<std::string>::Steps steps;
    for (const StepOf<Lecture>& step : lecture.history().steps())
        steps.push_back({step.label, text_of(step.state)});
    std::error_code ignored;
    const std::filesystem::path file = lecture.file().empty()
                                           ? lecture.file()
                                           : std::filesystem::absolute(lecture.file(), ignored);
    auto work = std::make_shared<const OpenText>(
        OpenText{.history = HistoryOf<std::string>(steps, lecture.history().at()),
                 .saved = text_of(lecture.saved()),
                 .file = file.native(),
                 .contents = lecture.on_disk().contents,
                 .view = {{kPageWord, std::to_string(lecture.at())}}});
    texts_ = std::move(texts);
    return work;
}

void open_work(OpenLecture& lecture, const OpenText& work) {
    const auto now =
        std::make_shared<const Lecture>(read_kept_text(work.history.state(), "kept lecture"));
    LectureHistory::Steps steps;
    std::size_t at = 0;
    for (std::size_t k = 0; k < work.history.steps().size(); ++k) {
        const auto& [label, text, own_bytes] = work.history.steps()[k];
        if (k == work.history.at()) at = steps.size();
        auto lecture = k == work.history.at() ? now : find_lecture(*text);
        if (lecture) steps.push_back({label, std::move(lecture)});
    }
    auto saved = find_lecture(*work.saved);
    std::size_t page = 0;
    if (const std::string* word = find_word(work.view, kPageWord))
        std::from_chars(word->data(), word->data() + word->size(), page);
    lecture.open_unsaved(LectureHistory(steps, at),
                         saved ? std::move(saved) : std::make_shared<const Lecture>(), work.file,
                         {work.contents, std::nullopt});
    lecture.go_to(page);
}

}  // namespace headlight
