#include "present/page/page_control.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/numeric/short_number.h"
#include "core/plan.h"
#include "expression/item_names.h"
#include "figure/words/formula.h"
#include "model/settings/setting_text.h"
#include "text/strings.h"
#include "views/view_state.h"

namespace headlight {
namespace {

constexpr std::string_view kAllHeads = "heads", kHeadsOf = ".heads";
constexpr int kMostSwitches = 24;

/// Checks that the path is a number setting that can be moved. Throws Error with the names of those
/// that are like it.
void check_setting(const Document& document, const std::string& path) {
    if (find_number_setting(document, path)) return;
    const std::vector<NumberSetting> settings = number_settings(document);
    std::vector<std::string_view> known;
    for (const NumberSetting& setting : settings) known.push_back(setting.path);
    std::string near = suggestion(path, known);
    if (near.empty() && !known.empty()) near = "; there is " + std::string(known.front());
    throw Error(
        "lecture",
        "there is no setting {} that has an effect here{}; a cell is moved as embed[cat, 0] = -1:1",
        in_quotes(path), near);
}

/// Reads "heads", or "blocks.1.attn.heads". Returns nothing if the text is no attention's.
std::optional<PageControl> heads_control(const std::string& text, const Trace& trace) {
    const Components components = make_components(trace.plan());
    PageControl control{.path = "", .kind = PageControl::Kind::Heads};
    if (text.ends_with(kHeadsOf)) control.path = text.substr(0, text.size() - kHeadsOf.size());
    if (control.path.empty() && text != kAllHeads) return std::nullopt;
    int n_heads = 0;
    for (const Component* attention : controlled_heads(components, control))
        n_heads += attention->n_heads;
    if (n_heads == 0 && text != kAllHeads) return std::nullopt;
    if (n_heads == 0) throw Error("lecture", "this study has no heads that could be switched off");
    if (n_heads > kMostSwitches)
        throw Error("lecture",
                    "{} heads are too many to be switched; of one attention: blocks.0.attn.heads",
                    n_heads);
    return control;
}

/// Writes a bound in single precision: 0.01, not 0.009999999776.
std::string shown_bound(double bound) {
    return fewest_digits(static_cast<float>(bound));
}

std::optional<double> finite_limit(std::string_view text) {
    constexpr double kMost = std::numeric_limits<double>::max();
    return number_between(trimmed(text), -kMost, kMost);
}

}  // namespace

PageControl read_control(const std::string& text, const Document& document, const Trace& trace) {
    const std::size_t equals = text.find('=');
    PageControl control{.path = std::string(trimmed(text.substr(0, equals)))};
    if (control.path == "text" && equals == std::string::npos) {
        control.kind = PageControl::Kind::Text;
        if (!document.sentence())
            throw Error("lecture", "this study has no text that could be typed");
        return control;
    }
    if (const auto heads = heads_control(control.path, trace); heads && equals == std::string::npos)
        return *heads;
    if (equals == std::string::npos && find_choice_setting(document, control.path)) {
        control.kind = PageControl::Kind::Choice;
        return control;
    }
    const bool is_cell = control.path.find('[') != std::string::npos;
    if (is_cell)
        static_cast<void>(control_cell(trace, control.path));
    else
        check_setting(document, control.path);
    control.kind = is_cell ? PageControl::Kind::Cell : PageControl::Kind::Setting;
    if (equals == std::string::npos)
        throw Error("lecture", "between which numbers does {} move? {} = LOW:HIGH",
                    in_quotes(control.path), control.path);
    const std::string range(trimmed(text.substr(equals + 1)));
    const std::size_t colon = std::min(range.find(':'), range.size());
    const auto low = finite_limit(range.substr(0, colon));
    const auto high = finite_limit(range.substr(std::min(colon + 1, range.size())));
    if (!low || !high)
        throw Error("lecture", "the range of {} is two numbers, LOW:HIGH, not {}",
                    in_quotes(control.path), in_quotes(range));
    if (*low >= *high)
        throw Error("lecture", "the range of {} ends before it begins: {}", in_quotes(control.path),
                    range);
    if (const auto setting = is_cell ? std::nullopt : find_number_setting(document, control.path))
        if (*low < setting->low || *high > setting->high)
            throw Error("lecture", "{} goes from {} to {}, not {}", in_quotes(control.path),
                        shown_bound(setting->low), shown_bound(setting->high), range);
    control.low = *low;
    control.high = *high;
    return control;
}

std::string cell_in_words(const Trace& trace, const CellPlace& cell) {
    const Tensor& tensor = trace.at(cell.path);
    const Identity& identity = tensor.identity();
    std::string what = identity.role != Role::Embedding ? plain_formula(tensor.symbol())
                       : trace.edges()                  ? "features"
                                                        : "embedding";
    if (identity.network == Network::Source) what = "source " + what;
    if (identity.network == Network::Target) what = "target " + what;
    const std::string row = shown_label(trace, tensor.rows(), cell.row);
    if (tensor.columns().kind == AxisKind::Single)
        return has_names(tensor.rows()) ? fmt::format("{} of {}", what, row)
                                        : fmt::format("{}, row {}", what, row);
    const std::string column = shown_column_head(trace, tensor, cell.column);
    if (!has_names(tensor.rows())) return fmt::format("{}, row {}, column {}", what, row, column);
    return has_names(tensor.columns()) ? fmt::format("{} of {}, {}", what, row, column)
                                       : fmt::format("{} of {}, number {}", what, row, column);
}

std::vector<const Component*> controlled_heads(const Components& components,
                                               const PageControl& control) {
    std::vector<const Component*> found;
    for (const Component& component : components)
        if (component.n_heads > 0 && (control.path.empty() || component.path == control.path))
            found.push_back(&component);
    return found;
}

bool move_the_same(const PageControl& a, const PageControl& b, const Trace& trace) {
    if (a.kind != b.kind) return false;
    if (a.kind != PageControl::Kind::Cell) return a.path == b.path;
    const CellPlace cell = control_cell(trace, a.path), other = control_cell(trace, b.path);
    return cell.path == other.path && cell.row == other.row && cell.column == other.column;
}

CellPlace control_cell(const Trace& trace, const std::string& text) {
    if (!text.ends_with(']') || text.find('[') == std::string::npos)
        throw Error("lecture", "{} is no cell; a cell is embed[cat, 0]", in_quotes(text));
    const std::size_t open = text.find('['), comma = text.find(',', open);
    const Tensor& tensor = trace[tensor_named(trace, text.substr(0, open))];
    const auto ignore = [](const std::string&) {};
    const auto name = [&](std::size_t from, std::size_t to) {
        return std::string(trimmed(std::string_view(text).substr(from, to - from)));
    };
    const std::size_t end = text.size() - 1;
    const Index row = index_named(trace, {tensor, tensor.rows(), "row", "control"},
                                  name(open + 1, std::min(comma, end)), ignore);
    const Index column =
        comma == std::string::npos
            ? 0
            : index_named(trace, {tensor, columns_of_row(trace, tensor, row), "column", "control"},
                          name(comma + 1, end), ignore);
    return {tensor.path(), row, column};
}

}  // namespace headlight
