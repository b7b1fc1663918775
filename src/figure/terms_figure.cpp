#include "figure/terms_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "figure/figure_parts.h"
#include "figure/labels.h"
#include "figure/number_format.h"

namespace headlight {
namespace {

constexpr float kCompactRow = 18, kCompactText = 11.5f, kCompactHead = 11, kCompactNumber = 50;
constexpr float kLeastTermText = 11.5f;
constexpr float kWideHead = 12, kLeastTermRow = 15, kMostTermRow = 26, kUsualTermRow = 22;
constexpr float kBelowHead = 8, kBeforeTermNumbers = 8, kTermPad = 4;
constexpr float kTermsTitle = 15, kTermsRemark = 12, kTermsLine = 20;

/// Returns the baseline of a text in the middle of a row.
float term_baseline(const TermColumns& columns) {
    return columns.row_height / 2 + columns.text_size * kMiddleShift;
}

/// Adds the pieces of the row. Returns which of its cells is at `pointer_x`, else the first.
std::size_t add_term_pieces(TermRowFigure& made, const TermRow& row, const TermColumns& columns,
                            float pointer_x, const Theme& theme, const MeasureText& measure) {
    const Font font = row.is_current ? Font::Bold : Font::Regular;
    const float size = columns.text_size;
    float right = columns.width, x = kTermPad;
    if (!row.numbers.empty())
        right = columns.numbers_left() + columns.number_width - kBeforeTermNumbers -
                measure(row.numbers.front(), size, font);
    std::size_t target = 0;
    for (const TermPiece& piece : row.pieces) {
        const float width = measure(piece.text, size, font);
        const bool is_here = piece.cell && pointer_x >= x && pointer_x < x + width;
        if (is_here) target = *piece.cell;
        TextMark text{{x, term_baseline(columns)},
                      piece.text,
                      size,
                      is_here ? theme.accent : theme.text,
                      font};
        shorten(text, right - x, measure);
        made.figure.add(std::move(text));
        x += width;
    }
    return target;
}

/// True if the pieces of the row have room beside the numbers.
bool is_whole(const TermRow& row, const TermColumns& columns, const MeasureText& measure) {
    const Font font = row.is_current ? Font::Bold : Font::Regular;
    float width = kTermPad + kBeforeTermNumbers;
    for (const TermPiece& piece : row.pieces) width += measure(piece.text, columns.text_size, font);
    if (!row.numbers.empty()) width += measure(row.numbers.front(), columns.text_size, font);
    return width <= columns.numbers_left() + columns.number_width;
}

/// Returns the room that the numbers after the first one, and their heads, need; the first one
/// reaches to the left.
float number_room(const std::vector<TermRow>& rows, const std::vector<std::string>& heads,
                  const TermColumns& columns, const MeasureText& measure) {
    float widest = 0;
    for (std::size_t k = 1; k < heads.size(); ++k)
        widest = std::max(widest, measure(heads[k], columns.head_size, Font::Regular));
    for (const TermRow& row : rows)
        for (std::size_t k = 1; k < row.numbers.size(); ++k)
            widest = std::max(widest, measure(row.numbers[k], columns.text_size,
                                              row.is_current ? Font::Bold : Font::Regular));
    return widest + kBeforeTermNumbers;
}

/// Widens columns of numbers, and makes type smaller, where rows would be cut or numbers would
/// touch.
void fit_columns(TermColumns& columns, const std::vector<TermRow>& rows,
                 const std::vector<std::string>& heads, const MeasureText& measure) {
    constexpr float kMostOfWidth = 0.75f;
    const float most = kMostOfWidth * columns.width / static_cast<float>(columns.n_numbers);
    const auto fits = [&](const TermRow& row) { return is_whole(row, columns, measure); };
    for (;; columns.text_size -= 0.5f) {
        columns.head_size = std::min(columns.head_size, columns.text_size);
        const float wanted = number_room(rows, heads, columns, measure);
        columns.number_width = std::min(std::max(columns.number_width, wanted), most);
        const bool has_room = wanted <= columns.number_width && std::ranges::all_of(rows, fits);
        if (has_room || columns.text_size <= kLeastTermText) return;
    }
}

/// Adds title and remark over the columns. Returns the height that they take.
float add_terms_title(Figure& figure, const TermTable& table, const Theme& theme,
                      const MeasureText& measure) {
    TextMark title{{kTermPad, kTermsTitle}, table.title(), kTermsTitle, theme.text, Font::Bold};
    shorten(title, figure.width - kTermPad, measure);
    figure.add(std::move(title));
    float top = kTermsLine + kTermPad;
    for (const std::string& remark : {table.remark(), table.why_idle()}) {
        if (remark.empty()) continue;
        TextMark line{{kTermPad, top + kTermsRemark}, remark, kTermsRemark, theme.muted};
        shorten(line, figure.width - kTermPad, measure);
        figure.add(std::move(line));
        top += kTermsLine;
    }
    return top;
}

}  // namespace

TermColumns term_columns(const TermTable& table, TermForm form, Point room) {
    constexpr float kRoomy = 420, kLargeText = 15, kSmallText = 12.5f;
    TermColumns columns{.width = room.x,
                        .row_height = kCompactRow,
                        .number_width = kCompactNumber,
                        .text_size = kCompactText,
                        .head_size = kCompactHead,
                        .n_numbers = table.headers(form).size()};
    if (form == TermForm::Compact) return columns;
    columns.head_size = kWideHead;
    columns.row_height = std::clamp(room.y / static_cast<float>(std::max<Index>(1, table.size())),
                                    kLeastTermRow, kMostTermRow);
    columns.text_size = std::max(kLeastTermText, (room.x > kRoomy ? kLargeText : kSmallText) *
                                                     columns.row_height / kMostTermRow);
    columns.number_width =
        std::min(140.0f, 0.55f * columns.width / static_cast<float>(columns.n_numbers));
    return columns;
}

Figure term_head_figure(const TermTable& table, TermForm form, const TermColumns& columns,
                        const Theme& theme, const MeasureText& measure) {
    constexpr float kBetweenHeads = 4;
    const float size = columns.head_size, baseline = size + 2;
    Figure figure{columns.width, size + kBelowHead, {}};
    float right = columns.numbers_left();
    for (const std::string& header : table.headers(form)) {
        right += columns.number_width;
        TextMark head{{right, baseline}, header, size, theme.muted, Font::Regular, Align::End};
        fit(head, columns.number_width - kBetweenHeads, measure);
        figure.add(std::move(head));
    }
    if (form == TermForm::Compact) return figure;
    constexpr float kFirstHeader = 44;
    TextMark total{{kTermPad, baseline}, table.total(), size, theme.muted};
    shorten(total, columns.numbers_left() + columns.number_width - kFirstHeader, measure);
    figure.add(std::move(total));
    return figure;
}

TermRowFigure term_row_figure(const TermRow& row, const TermColumns& columns, float pointer_x,
                              const Theme& theme, const MeasureText& measure) {
    const Box box{0, 0, columns.width, columns.row_height};
    TermRowFigure made{{box.width, box.height, {}}};
    if (pointer_x >= 0) made.figure.add(RectMark{box, theme.accent_soft, {}, 0, 4});
    // A bar in the background is as long as the share.
    const float length = std::min(1.0f, std::abs(static_cast<float>(row.share))) * box.width;
    Color color = row.share < 0 ? theme.negative : theme.positive;
    color.a = 52;
    made.figure.add(RectMark{{0, 2, length, box.height - 4}, color, {}, 0, 3});
    made.target = add_term_pieces(made, row, columns, pointer_x, theme, measure);
    float right = columns.numbers_left();
    for (const std::string& value : row.numbers) {
        right += columns.number_width;
        made.figure.add(TextMark{{right, term_baseline(columns)},
                                 value,
                                 columns.text_size,
                                 theme.text,
                                 row.is_current ? Font::Bold : Font::Regular,
                                 Align::End});
    }
    return made;
}

Figure terms_figure(const TermTable& table, Point room, const Theme& theme,
                    const MeasureText& measure) {
    Figure figure{room.x, room.y, {}};
    float top = add_terms_title(figure, table, theme, measure);
    const float head = kWideHead + kBelowHead;
    TermColumns columns =
        term_columns(table, TermForm::Wide, {room.x, std::max(1.0f, room.y - top - head)});
    const auto in_height = [&](float height) {
        return static_cast<Index>(std::max(0.0f, (height + 0.01f) / columns.row_height));
    };
    const float room_of_rows = room.y - top - head;
    Index n_rows = table.size();
    if (in_height(room_of_rows) < n_rows) n_rows = in_height(room_of_rows - kTermsLine);
    std::vector<TermRow> rows;
    for (Index k = 0; k < n_rows; ++k) rows.push_back(table.row(k, TermForm::Wide));
    fit_columns(columns, rows, table.headers(TermForm::Wide), measure);
    add_part(figure, term_head_figure(table, TermForm::Wide, columns, theme, measure), {0, top});
    top += head;
    for (const TermRow& row : rows) {
        add_part(figure, term_row_figure(row, columns, -1, theme, measure).figure, {0, top});
        top += columns.row_height;
    }
    if (n_rows == table.size()) return figure;
    figure.add(
        TextMark{{kTermPad, top + kTermsRemark + 2},
                 fmt::format("… {} of {} terms", format_count(n_rows), format_count(table.size())),
                 kTermsRemark,
                 theme.muted});
    figure.leave_out({"terms", table.size() - n_rows, table.size()});
    return figure;
}

float terms_height(const TermTable& table) {
    const int n_lines = 1 + !table.remark().empty() + !table.why_idle().empty();
    return kTermsLine * static_cast<float>(n_lines) + kTermPad + kWideHead + kBelowHead +
           kUsualTermRow * static_cast<float>(table.size());
}

}  // namespace headlight
