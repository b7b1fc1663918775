#include "present/page/page_thumbnails.h"

#include <functional>

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
    OpenPage open;
    open.index = page;
    PrintedPage printed{source.lecture.pages[page], {}, {}, {}, open, {}};
    const auto draw = [&] {
        made.figure = page_figure(source, printed, {kWidePage, kPageHeight}, theme, measure).figure;
    };
    try {
        open = open_page(source, page, *space_);
        fill_words(source, printed);
        return draw();
    } catch (const Error&) {
        made.has_failed = true;
    }
    open.space = nullptr;
    draw();
}

}  // namespace headlight
