#include "present/lessons.h"

#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "embedded_lessons.h"
#include "io/files/file.h"
#include "text/strings.h"

namespace headlight {
namespace {

std::string lesson_file(std::string_view name) {
    return std::string(name) + ".lecture";
}

}  // namespace

std::span<const Lesson> lessons() {
    static constexpr std::string_view kLessons[] = {"soft-lookup",
                                                    "why-dot-products",
                                                    "by-hand",
                                                    "query-key-value",
                                                    "why-root-d",
                                                    "softmax-by-hand",
                                                    "order",
                                                    "masks",
                                                    "many-heads",
                                                    "who-is-it",
                                                    "alignment",
                                                    "rnns-forget",
                                                    "transformer-block",
                                                    "next-word",
                                                    "kv-cache",
                                                    "induction",
                                                    "gat",
                                                    "gat-or-gatv2",
                                                    "sentence-is-a-graph",
                                                    "images",
                                                    "not-explanation"};
    static const std::vector<Lesson> all = [] {
        std::vector<Lesson> found;
        for (const std::string_view name : kLessons)
            if (has_embedded_lessons(lesson_file(name)))
                found.push_back({name, read_lesson(name).title});
        return found;
    }();
    return all;
}

Lecture read_lesson(std::string_view name) {
    const std::string file = lesson_file(name);
    const std::string_view bytes = embedded_lessons(file);
    if (bytes.empty())
        throw Error("lesson", "{} lesson {}",
                    lacks_embedded_lessons(file) ? "this page does not have the" : "there is no",
                    in_quotes(name));
    return read_lecture(bytes, file);
}

Lecture read_lecture_or_lesson(const std::filesystem::path& file, Faults* faults) {
    std::error_code ignored;
    const bool is_lesson = !std::filesystem::exists(file, ignored) && !file.has_parent_path() &&
                           has_embedded_lessons(file.native());
    return is_lesson ? read_lesson(file.stem().native())
                     : read_lecture(read_file(file), path_text(file), faults);
}

}  // namespace headlight
