// headlight answers: how often a class gave each answer, from codes and saved answers.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "cli/lecture_commands.h"
#include "cli/open_study.h"
#include "core/error.h"
#include "present/answers.h"
#include "present/class_answers.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

void print_class(const std::string& page, const ClassCount& count, std::ostream& out) {
    constexpr int kLongest = 40;
    out << printable(page) << ": " << counted_words(count) << "\n  "
        << printable(plain_text(count.question)) << "\n";
    std::vector<std::string> labels;
    std::size_t width = 0;
    for (const ClassCount::Bar& bar : count.bars) {
        labels.push_back(printable(plain_text(bar.label)));
        width = std::max(width, count_code_points(labels.back()));
    }
    for (std::size_t k = 0; k < count.bars.size(); ++k) {
        const ClassCount::Bar& bar = count.bars[k];
        out << (bar.is_right ? "  ✓ " : "    ") << labels[k]
            << std::string(width - count_code_points(labels[k]), ' ') << "  ";
        const int length = count.n_counted == 0 ? 0 : kLongest * bar.n / count.n_counted;
        for (int i = 0; i < std::max(length, bar.n > 0 ? 1 : 0); ++i) out << "█";
        out << (bar.n > 0 ? " " : "")
            << fmt::format("{}  {} %\n", bar.n, percentage(bar.n, count.n_counted));
    }
    if (const std::string right = revealed_words(count); !right.empty())
        out << "  " << printable(right) << "\n";
}

}  // namespace

void count_answers(const CountAnswers& options, const Streams& streams) {
    const OpenedLecture read(options.lecture);
    const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
    const std::vector<CollectedAnswers> collected = collect_answers(read.source, paths);
    if (const std::string missed = not_understood(collected); !missed.empty())
        write_notes(streams, "", std::vector{missed});
    ClassAnswers answers;
    answers.take(read.lecture, collected, ClassAnswers::Pasted::IsAdded);
    if (answers.is_empty()) throw Error(options.lecture, "has no answers in what was given");
    for (std::size_t page = 0; page < read.lecture.pages.size(); ++page) {
        const std::vector<ClassAnswer> given = answers.answers_to(read.lecture, page);
        if (!given.empty())
            print_class(answer_name(read.lecture, page), count_class(read.source, page, given),
                        streams.out);
    }
}

}  // namespace headlight
