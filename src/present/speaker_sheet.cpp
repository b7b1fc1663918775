#include "present/speaker_sheet.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "figure/figure_parts.h"
#include "figure/labels.h"
#include "io/text/numbers_text.h"
#include "present/page/page_figure.h"
#include "present/page/page_scope.h"
#include "present/page/page_text.h"
#include "present/page/page_text_figure.h"

namespace headlight {
namespace {

// Sizes of a sheet that is kSheetHeight high.
constexpr float kSheetHeight = 540, kSheetMargin = 20, kSheetGap = 18, kSheetHead = 46;
constexpr float kCaption = 11, kCaptionRow = 18;
constexpr float kClock = 34, kTimes = 17;
constexpr float kNotes = 21, kLeastNotes = 12, kTask = 16;
constexpr float kTaskShare = 0.4f;   // of the height of the notes, at most
constexpr float kSideShare = 0.42f;  // of the width, for the pictures

double minutes_of(const Directives& directives) {
    const std::string* text = find_value(directives, "minutes");
    const auto minutes = text ? parse_number(*text) : std::nullopt;
    return minutes && std::isfinite(*minutes) ? std::max(0.0, static_cast<double>(*minutes)) : 0;
}

class SheetWriter {
  public:
    SheetWriter(const SpeakerView& view, Point size, const Theme& theme, const MeasureText& measure)
        : view_(view),
          theme_(theme),
          measure_(measure),
          unit_(size.y / kSheetHeight),
          sheet_{size.x, size.y, {}} {}

    Figure write() {
        sheet_.add(RectMark{{0, 0, sheet_.width, sheet_.height}, theme_.window});
        const float margin = kSheetMargin * unit_, gap = kSheetGap * unit_;
        const float side = std::floor(kSideShare * sheet_.width);
        const float top = margin + kSheetHead * unit_ + gap / 2;
        add_times({margin, margin, sheet_.width - 2 * margin, kSheetHead * unit_});
        const float room = (sheet_.height - top - margin - gap) / 2;
        const Box now{margin, top, side - margin, room};
        add_picture(now, "Now", view_.now, view_.at);
        add_picture({margin, now.bottom() + gap, now.width, room}, "Next", view_.next,
                    view_.at + 1);
        add_notes(
            {side + gap, top, sheet_.width - side - gap - margin, sheet_.height - top - margin});
        return std::move(sheet_);
    }

  private:
    void add_text(Point at, const std::string& text, float size, Color color,
                  Font font = Font::Regular, Align align = Align::Start) {
        sheet_.add(TextMark{at, text, size * unit_, color, font, align});
    }

    void add_times(const Box& box) {
        const float baseline = box.y + 0.74f * box.height;
        add_text({box.x, baseline}, view_.clock, kClock, theme_.text, Font::Bold);
        const float after = box.x + measure_(view_.clock, kClock * unit_, Font::Bold);
        std::string elapsed = elapsed_text(view_.elapsed_secs);
        const auto whole = planned_secs(view_.lecture, view_.lecture.pages.size());
        if (whole) elapsed += " of " + elapsed_text(*whole);
        add_text({after + 24 * unit_, baseline}, elapsed, kTimes, theme_.text);
        add_pace(
            {after + (44 * unit_) + measure_(elapsed, kTimes * unit_, Font::Regular), baseline});
        const std::string page =
            fmt::format("Page {} of {}", view_.at + 1, view_.lecture.pages.size());
        add_text({box.right(), baseline}, page, kTimes, theme_.muted, Font::Regular, Align::End);
    }

    /// Writes how far the lecture is from its plan, by which this page is being shown now.
    void add_pace(Point at) {
        const auto from = planned_secs(view_.lecture, view_.at);
        const auto until = planned_secs(view_.lecture, view_.at + 1);
        if (!from || !until) return;
        const double late = view_.elapsed_secs - *until, early = *from - view_.elapsed_secs;
        const std::string pace = late > 0    ? elapsed_text(late) + " behind"
                                 : early > 0 ? elapsed_text(early) + " ahead"
                                             : "on time";
        add_text(at, pace, kTimes, late > 0 ? theme_.warning : theme_.muted);
    }

    void add_picture(const Box& box, const char* caption, const Figure* picture, std::size_t page) {
        const bool exists = page < view_.lecture.pages.size();
        const std::string title = exists ? view_.lecture.pages[page].title : "The end";
        const float baseline = box.y + kCaption * unit_;
        add_text({box.x, baseline}, caption, kCaption, theme_.accent, Font::Bold);
        const float indent = measure_(caption, kCaption * unit_, Font::Bold) + 8 * unit_;
        add_title(sheet_, {{box.x + indent, baseline}, title, kCaption * unit_, theme_.muted},
                  box.width - indent, measure_);
        if (!exists) return;
        const float top = box.y + kCaptionRow * unit_;
        const float scale = std::min(box.width / kWidePage, (box.bottom() - top) / kPageHeight);
        const Box card{box.x, top, kWidePage * scale, kPageHeight * scale};
        sheet_.add(RectMark{card, view_.paper, theme_.border, 1, 4 * unit_});
        if (picture) add_part(sheet_, *picture, {card.x, card.y}, scale);
    }

    std::vector<std::string> lines_of(const std::string& words, float size, float width) const {
        std::vector<std::string> lines;
        for (std::size_t at = 0; at <= words.size();) {
            const std::size_t end = std::min(words.find('\n', at), words.size());
            const TextMark paragraph{{}, words.substr(at, end - at), size * unit_};
            if (paragraph.text.empty()) lines.emplace_back();
            for (std::string& line : wrapped_lines(paragraph, width, measure_))
                lines.push_back(std::move(line));
            at = end + 1;
        }
        return lines;
    }

    void add_notes(Box box) {
        if (!view_.task.empty()) {
            const Box task{box.x, box.y, box.width, kTaskShare * box.height};
            const float used = add_words(task, "Task", view_.task, kTask) + kSheetGap * unit_;
            box.y += used;
            box.height -= used;
        }
        const bool exists = view_.at < view_.lecture.pages.size();
        const std::string written = exists ? view_.lecture.pages[view_.at].notes : "";
        add_words(box, "Notes", view_.notes.value_or(written), kNotes);
    }

    /// Draws words under their caption, in that size or as much smaller as the box asks for.
    /// Returns their height.
    float add_words(const Box& box, const char* caption, const std::string& words, float size) {
        add_text({box.x, box.y + kCaption * unit_}, caption, kCaption, theme_.accent, Font::Bold);
        const float top = box.y + kCaptionRow * unit_, height = box.bottom() - top;
        std::vector<std::string> lines = lines_of(words, size, box.width);
        const auto pitch = [&] { return kLineHeight * 1.12f * size * unit_; };
        const auto most = [&] { return static_cast<std::size_t>(height / pitch()); };
        while (lines.size() > most() && size > kLeastNotes)
            lines = lines_of(words, size -= 1, box.width);
        const bool is_cut = lines.size() > most();
        if (is_cut) lines.resize(std::max<std::size_t>(1, most()));
        if (is_cut) lines.back() += " …";
        float baseline = top + size * unit_;
        for (const std::string& line : lines) {
            sheet_.add(TextMark{{box.x, baseline}, line, size * unit_, theme_.text});
            baseline += pitch();
        }
        return baseline - size * unit_ - box.y;
    }

    const SpeakerView& view_;
    const Theme& theme_;
    const MeasureText& measure_;
    float unit_;
    Figure sheet_;
};

}  // namespace

std::string task_lines(const PageTask& task, const TaskText& text, const std::string& answer) {
    std::string lines = plain_text(text.question);
    for (std::size_t k = 0; k < text.choices.size(); ++k) {
        const bool is_right = k < task.choices.size() && task.choices[k].is_right;
        lines += fmt::format("\n{}  {}{}", k + 1, plain_text(text.choices[k]),
                             is_right ? "  (right)" : "");
    }
    return answer.empty() ? lines : fmt::format("{}\n{}", lines, answer);
}

std::optional<double> planned_secs(const Lecture& lecture, std::size_t before_page) {
    constexpr double kSecsInMinute = 60;
    double before = 0, all = 0;
    for (std::size_t k = 0; k < lecture.pages.size(); ++k) {
        const double minutes = minutes_of(lecture.pages[k].directives);
        all += minutes;
        if (k < before_page) before += minutes;
    }
    // A lecture can have a duration as a whole: then pages are equally long.
    if (const double whole = minutes_of(lecture.directives); all <= 0 && whole > 0)
        return kSecsInMinute * whole * static_cast<double>(before_page) /
               static_cast<double>(std::max<std::size_t>(1, lecture.pages.size()));
    return all > 0 ? std::optional(kSecsInMinute * before) : std::nullopt;
}

std::string elapsed_text(double secs) {
    const auto whole = static_cast<long>(std::max(0.0, secs));
    const long hours = whole / 3600, minutes = whole / 60 % 60, seconds = whole % 60;
    return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, seconds)
                     : fmt::format("{}:{:02}", minutes, seconds);
}

Figure speaker_sheet(const SpeakerView& view, Point size, const Theme& theme,
                     const MeasureText& measure) {
    return SheetWriter(view, size, theme, measure).write();
}

namespace {

/// One line of the notes, which keep their lines: each is read by itself.
struct NoteLine {
    std::string written;
    std::optional<PageText> text;  // absent: it cannot be read
};

std::vector<NoteLine> read_notes(const std::string& notes, const std::string& source_name) {
    std::vector<NoteLine> lines;
    for (std::size_t at = 0; at <= notes.size();) {
        const std::size_t end = std::min(notes.find('\n', at), notes.size());
        NoteLine line{notes.substr(at, end - at), {}};
        try {
            line.text = read_page_text(line.written, source_name);
        } catch (const Error&) {  // stays as it is written
        }
        lines.push_back(std::move(line));
        at = end + 1;
    }
    return lines;
}

std::string words_of(const NoteLine& line, const PageScope* scope) {
    if (!line.text) return line.written;
    if (expressions_in(*line.text).empty()) return plain_text(*line.text);
    if (!scope) return line.written;
    try {
        return plain_text(fill(*line.text, scope->scope()));
    } catch (const Error&) {
        return line.written;
    }
}

std::vector<Expression> expressions_in(const std::vector<NoteLine>& lines) {
    std::vector<Expression> all;
    for (const NoteLine& line : lines)
        if (line.text)
            for (Expression& expression : expressions_in(*line.text))
                all.push_back(std::move(expression));
    return all;
}

}  // namespace

std::string filled_notes(const PageSource& source, OpenPage& page) {
    const std::vector<NoteLine> lines =
        read_notes(source.lecture.pages[page.index].notes, source.name);
    std::vector<Expression> expressions = expressions_in(lines);
    std::optional<PageScope> scope;
    if (page.space && !expressions.empty()) scope.emplace(source, page, std::move(expressions));
    std::string words;
    for (const NoteLine& line : lines)
        words += (&line == &lines.front() ? "" : "\n") + words_of(line, scope ? &*scope : nullptr);
    return words;
}

std::string answer_for_speaker(const PageSource& source, OpenPage& page, const PageTask& task) {
    if (task.kind == PageTask::Kind::Choice) return "";
    if (task.kind == PageTask::Kind::Goal) {
        std::string changes;
        for (const Directive& change : task.solution)
            changes += fmt::format("{}{} {}", changes.empty() ? "Solution: " : "; ", change.key,
                                   change.value);
        return changes;
    }
    try {
        const PageScope scope(source, page, {task.expression});
        return "Right: " + right_answer(task, scope.scope());
    } catch (const Error&) {
        return "";
    }
}

}  // namespace headlight
