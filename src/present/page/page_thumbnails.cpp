#include "present/page/page_thumbnails.h"

#include <functional>
#include <optional>

#include "core/error.h"
#include "io/pictures/figure_text.h"
#include "present/page/page_document.h"

namespace headlight {
namespace {

std::uint64_t mixed(std::uint64_t seed, const std::string& text) {
    return (seed ^ std::hash<std::string>{}(text)) * 0x9E3779B97F4A7C15ULL;
}

}  // namespace

/// A page depends on the study that the pages before it leave.
void PageThumbnails::count_contents(const Lecture& lecture, const Theme& theme) {
    contents_.clear();
    std::uint64_t study = std::hash<const Theme*>{}(&theme);
    for (const LecturePage& page : lecture.pages) {
        for (const Directive& directive : page.directives)
            if (directive.key == "study" || changes_study(directive.key))
                study = mixed(mixed(study, directive.key), directive.value);
        std::uint64_t content = mixed(mixed(study, page.title), page.text);
        for (const Directive& directive : page.directives)
            content = mixed(mixed(content, directive.key), directive.value);
        contents_.push_back(content);
    }
    made_.resize(contents_.size());
}

bool PageThumbnails::advance(OpenLecture& lecture, const Theme& theme) {
    if (version_ != lecture.version() || theme_ != &theme) {
        version_ = lecture.version();
        theme_ = &theme;
        count_contents(lecture.lecture(), theme);
    }
    bool has_made = false;
    for (std::size_t page = 0; page < made_.size(); ++page) {
        if (made_[page].figure && made_[page].content == contents_[page]) continue;
        if (has_made) return true;
        make(lecture, page, theme);
        has_made = true;
    }
    return false;
}

void PageThumbnails::make(OpenLecture& lecture, std::size_t page, const Theme& theme) {
    const MeasureText measure = pango_measure();
    if (!space_) space_ = std::make_unique<Workspace>(no_study(), std::function<void()>{});
    const PageSource source = lecture.source();
    Made& made = made_[page];
    made.content = contents_[page];
    made.has_failed = false;
    const LecturePage& written = source.lecture.pages[page];
    PageText text;
    std::optional<PageTask> task;
    TaskText task_text;
    OpenPage open;
    try {
        open = open_page(source, page, *space_);
        text = filled_text(source, open);
        task = read_task(written, source.name);
        if (task) task_text = filled_task(source, open, *task);
    } catch (const Error&) {
        made.has_failed = true;
    }
    const std::size_t n = source.lecture.pages.size();
    const auto draw = [&](const Scene* scene) {
        made.figure = page_figure({.scene = scene,
                                   .view = scene ? open.view : std::nullopt,
                                   .curves = open.curves ? &*open.curves : nullptr,
                                   .title = written.title,
                                   .text = text,
                                   .task = task ? &*task : nullptr,
                                   .task_text = &task_text,
                                   .number = {page, n}},
                                  {kWidePage, kPageHeight}, theme, measure)
                          .figure;
    };
    try {
        if (!made.has_failed && open.space && open.space->trace) {
            const Scene scene = make_scene(*open.space, theme);
            return draw(&scene);
        }
    } catch (const Error&) {
        made.has_failed = true;
    }
    draw(nullptr);
}

}  // namespace headlight
