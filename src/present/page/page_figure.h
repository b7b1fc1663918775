// A page laid out: its title, its text with the numbers filled in, and a place for the view.
//
// Goals: the slide, the thumbnail and the handout have one layout. Not goals: what is alive on a
// slide.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "figure/heatmap_layout.h"
#include "figure/theme.h"
#include "present/lecture.h"
#include "present/page/page_text.h"
#include "present/page/page_view.h"
#include "present/tasks/task.h"
#include "views/compared_sides.h"

namespace headlight {

// The task of a page as a figure: the question, and the numbered choices below it.
//
// Goals: the slide, the page in the window and the handout have one layout. Not goals: who answers.

struct TaskLook {
    float width = 400;  // of the question and the choices
    float unit = 1;     // points to a point of a page that is kPageHeight high
    const Theme& theme;
    const MeasureText& measure;
    int chosen = -1;  // the choice that was given
};

struct TaskPicture {
    Figure figure;             // its height is that of what stands in it
    std::vector<Box> choices;  // the place of each in the figure
};

/// Draws choices beside each other as far as they fit; a long one is broken into lines. The first
/// nine have the number of their key.
TaskPicture task_picture(const TaskText& text, const TaskLook& look);

/// Draws a line below the task: a verdict, hints.
Figure task_line(const PageText& text, const TaskLook& look);

/// The size of a page in its own points. It is this high, and its width follows the screen's shape;
/// where that is narrower than kNarrowPage, as on a telephone, it is so wide, and higher.
inline constexpr float kPageHeight = 480, kWidePage = kPageHeight * 16 / 9, kNarrowPage = 440;
/// Returns how large a point of a page is that has this size.
float page_unit(Point size);
/// The margins between the edges of a page and its content, and between those of a task's card and
/// its content.
inline constexpr float kPageMargin = 28, kTaskPad = 12;
/// The height of the line at the end, and the gap between text and view.
inline constexpr float kPageFoot = 22, kPageGap = 12;

/// Numbers in cells have at least this size where that is possible: 2.5 % of the window's height,
/// of which a slide has some for its buttons.
inline constexpr float kReadableNumber = 0.0268f * kPageHeight;

/// The place of the text: above view and task, or beside the view, with the task below both or
/// under the text.
enum class PageArrangement { TextAbove, TextBeside, TaskUnderText };

/// The content to be laid out. `text` is filled in already.
struct PageContent {
    const std::string& title;
    const PageText& text;
    bool has_view = false;
    float aspect = 1.6f;  // width to height of what is shown, as it would like to be
    float below = 0;      // height kept free at the end for a task and sliders, of kPageHeight
    /// The height kept free if task and sliders stand at the end of the text, `beside_width` wide,
    /// and the view has all of the height; 0: they cannot stand there.
    float below_text = 0;
    /// Returns the size of the numbers of a view in such a room; absent: it has none.
    std::function<float(Point room)> number_size = {};
    std::optional<PageArrangement> arrangement = {};  // is kept if it is possible
};

/// Returns the content of an open page, without a task; `scene` is null while it shows no study.
PageContent page_content(const std::string& title, const PageText& text, const OpenPage& page,
                         const Scene* scene, float unit, const MeasureText& measure);

struct PageLayout {
    Figure text;  // title and text, in their places
    Box view;     // empty: there is none, or no room
    Box below;    // for a task and sliders
    PageArrangement arrangement = PageArrangement::TextAbove;
    Box foot;               // one line: where the weights come from, and which page this is
    std::string note = {};  // says what had no room; "": nothing
};
/// Returns the width of a text that stands beside the view.
float beside_width(Point size);
/// Lays out the page in any size.
PageLayout layout_page(const PageContent& content, Point size, const Theme& theme,
                       const MeasureText& measure);

/// The preferred width of curves divided by their height.
inline constexpr float kCurvesAspect = 2;
/// The largest ratio of the sides of a cell.
inline constexpr float kPageStretch = 3;

/// Returns the origin of the weights with which the picture was computed, or a value in the text;
/// empty where neither is of the page's study, such as beside curves of a training.
std::string page_origin(const Scene& scene, const std::optional<ViewId>& view,
                        const PageText& text);

struct PageNumber {
    std::size_t page = 0, n_pages = 0;  // from 0
    float room_before = 0;              // kept free at its left, for something else
};
/// Returns the box of that room in the line at the end of a page.
Box room_before_number(const Box& foot, PageNumber number, const MeasureText& measure);
/// Adds the line at the end: what had no room, the origin, the number.
void add_page_foot(Figure& figure, const Box& foot, std::string missing, const std::string& origin,
                   PageNumber number, const Theme& theme, const MeasureText& measure);

/// Names what a reader would miss, "no room for 3 of 12 row labels"; "" if there is nothing.
std::string missing_words(const Figure& view);

/// Returns the aspect that suits the view.
float view_aspect(const Scene& scene, ViewId view);

/// Draws the large matrix in that room: its cells are stretched, so that their numbers can be read
/// from the last row. `unit`: points to a point of a page that is kPageHeight high.
HeatmapInput page_matrix(const Scene& scene, const Tensor& tensor, Point room, float unit);
/// Returns the look that matrices beside each other have in such a room.
ProjectorStyle projector_style(float unit);

struct PageRoom {
    Point size;
    float unit = 1;  // points to a point of a page that is kPageHeight high
    enum class Cover { Off, On } cover = Cover::Off;  // over what is to be predicted
};
/// Returns how many times as large as on a desk the marks and words of a view are, on a page of
/// that unit.
float page_times(const Scene& scene, ViewId view, float unit);

/// Returns a function for the size of the numbers in the cells of its matrices, where they are few
/// enough to have some; absent: they have none. It refers to all of the arguments.
std::function<float(Point room)> page_number_size(const Scene& scene, ViewId view, float unit,
                                                  const MeasureText& measure);

/// True of views that tell the numbers of one matrix in other words: where that is covered, the
/// matrix stands in their place.
bool tells_numbers(ViewId view);
/// Draws what the page shows into that room. Throws Error if the view cannot be drawn.
ViewFigure page_view_figure(const Scene& scene, ViewId view, const PageRoom& room,
                            const MeasureText& measure);

/// Draws the curves of a page into that room.
Figure page_curves_figure(const PageCurves& curves, Point room, const Theme& theme,
                          const MeasureText& measure);

/// The whole page as a figure of that size. The matrix that is to be predicted is covered.
struct PageFigure {
    Figure figure;
    Color background;
    std::string note;  // says what had no room; "": nothing
};
/// A page that was opened, with its words filled in, and drawn.
struct PrintedPage {
    const LecturePage& written;
    PageText text;
    std::optional<PageTask> task;
    TaskText task_text;  // of a page that has a task
    OpenPage& open;
    PageFigure figure;
};
/// Draws the page with its study as it is now. Throws Error if the view cannot be drawn.
PageFigure page_figure(const PageSource& source, const PrintedPage& page, Point size,
                       const Theme& theme, const MeasureText& measure);

/// Returns the text of a page with its numbers. Throws Error with the line. With `faults` each
/// value that cannot be given is added there; the others are filled in.
PageText filled_text(const PageSource& source, OpenPage& page, Faults* faults = nullptr);
/// Fills in the page's task in the same way. Also throws Error if the page has no study and the
/// task needs one.
TaskText filled_task(const PageSource& source, OpenPage& page, const PageTask& task,
                     Faults* faults = nullptr);
/// Fills in all words of a page that is to be printed. Throws Error as these do.
void fill_words(const PageSource& source, PrintedPage& page);

}  // namespace headlight
