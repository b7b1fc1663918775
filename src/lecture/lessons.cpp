#include "lecture/lessons.h"

#include <vector>

#include "core/error.h"
#include "embedded_lessons.h"
#include "io/text/printable.h"

namespace headlight {

std::span<const std::string_view> lesson_names() {
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
    static const std::vector<std::string_view> there = [] {
        std::vector<std::string_view> names;
        for (const std::string_view name : kLessons)
            if (!embedded_lessons(std::string(name) + ".lecture").empty()) names.push_back(name);
        return names;
    }();
    return there;
}

Lecture read_lesson(std::string_view name) {
    const std::string file = std::string(name) + ".lecture";
    const std::string_view bytes = embedded_lessons(file);
    if (bytes.empty())
        throw Error("lesson",
                    "there is no lesson " + in_quotes(name) + suggestion(name, lesson_names()));
    return read_lecture(bytes, file);
}

}  // namespace headlight
