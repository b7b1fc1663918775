#include "present/tasks/goal.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <span>

#include "core/error.h"
#include "expression/expression_node.h"
#include "model/changes.h"
#include "present/page/page_control.h"
#include "present/page/page_scope.h"

namespace headlight {
namespace {

const Intervention& intervention_at(const Document& document, const std::string& path) {
    static const Intervention nothing;
    const auto found = document.interventions.find(path);
    return found == document.interventions.end() ? nothing : found->second;
}

/// Returns the paths at which two studies have other numbers set by hand.
std::set<std::string> differing_paths(const Document& a, const Document& b) {
    std::set<std::string> paths;
    for (const Document* document : {&a, &b})
        for (const auto& [path, intervention] : document->interventions)
            if (!(intervention_at(a, path) == intervention_at(b, path))) paths.insert(path);
    return paths;
}

/// Returns the study as it is written, but about the present words or nodes: what is set in it has
/// moved along.
Document with_items_of(Document written, const Document& now) {
    if (written.study.index() != now.study.index() || written.study == now.study) return written;
    if (const SentenceStudy* study = now.sentence()) set_text(written, study->text);
    if (const AlignmentStudy* study = now.alignment()) {
        set_text(written, Side::Source, study->source);
        set_text(written, Side::Target, study->target);
    }
    if (const GraphStudy* study = now.graph()) set_graph_study(written, *study);
    return written;
}

std::set<std::string> paths_set_by_solution(const Document& written, const PageTask& task) {
    Document solved = written;
    try {
        for (const Directive& change : task.solution) change_study(solved, change);
    } catch (const Error&) {
        // `check` says what is wrong with it; the changes made until then count.
    }
    return differing_paths(written, solved);
}

/// Compares the numbers set by hand on an open page with those that the page lets one set.
class SetByHand {
  public:
    SetByHand(const OpenPage& page, const PageTask& task, const Document& written)
        : page_(page),
          task_(task),
          trace_(*page.space->trace),
          now_(page.space->session.document()),
          before_(with_items_of(written, now_)),
          has_same_items_(before_.study == written.study),
          by_solution_(paths_set_by_solution(written, task)) {}

    /// Returns a matrix in which something was set that the page does not let one set; null if
    /// there is none. A change of what the study does not have now has no effect.
    const Tensor* find_not_offered() const {
        for (const std::string& path : differing_paths(before_, now_)) {
            const Tensor* tensor = trace_.find(path);
            if (tensor && !offers_matrix(*tensor) && !offers_changes(path)) return tensor;
        }
        return nullptr;
    }

  private:
    bool offers_matrix(const Tensor& tensor) const {
        const std::string& path = tensor.path();
        if (by_solution_.contains(path)) return true;
        if (path != page_.matrix) return false;
        const bool is_input = tensor.is_leaf() || tensor.quantity() == Quantity::Mask;
        return is_input || (page_.controls.empty() && !is_read_by_goal(path));
    }

    bool is_read_by_goal(const std::string& path) const {
        const Selection& selection = page_.space->selection;
        const NameScope names{trace_.plan(), page_.space->components, page_.matrix, selection.head};
        const std::vector<std::string> read = needed_paths(task_.expression, names);
        return std::ranges::find(read, path) != read.end();
    }

    bool offers_changes(const std::string& path) const {
        const Intervention &before = intervention_at(before_, path),
                           &now = intervention_at(now_, path);
        if (before.is_empty() && !now.is_on) return true;
        if (before.ablation != now.ablation && !offers_head(path)) return false;
        const bool has_other_rules = before.is_on != now.is_on || before.rows != now.rows;
        if (!before.is_empty() && !now.is_empty() && has_other_rules) return false;
        return offers_cells(path, before, now) &&
               (!has_same_items_ || offers_cells(path, now, before));
    }

    /// True if the page offers every cell of `now` that `before` does not have.
    bool offers_cells(const std::string& path, const Intervention& before,
                      const Intervention& now) const {
        return std::ranges::all_of(now.cells, [&](const CellValue& cell) {
            const CellValue* same = before.find(cell.row, cell.column);
            return (same && same->value == cell.value) || offers_cell(path, cell);
        });
    }

    bool offers_cell(const std::string& path, const CellValue& cell) const {
        return std::ranges::any_of(page_.controls, [&](const PageControl& control) {
            if (control.kind != PageControl::Kind::Cell) return false;
            try {
                const CellPlace moved = control_cell(trace_, control.path);
                return moved.path == path && moved.row == cell.row && moved.column == cell.column;
            } catch (const Error&) {
                return false;  // its word is not there now
            }
        });
    }

    bool offers_head(const std::string& path) const {
        for (const PageControl& control : page_.controls) {
            if (control.kind != PageControl::Kind::Heads) continue;
            for (const Component* attention : controlled_heads(page_.space->components, control))
                for (int head = 0; head < attention->n_heads; ++head) {
                    const Tensor* output = ablated_tensor(trace_, *attention, head);
                    if (output && output->path() == path) return true;
                }
        }
        return false;
    }

    const OpenPage& page_;
    const PageTask& task_;
    const Trace& trace_;
    const Document& now_;
    const Document before_;
    const bool has_same_items_;
    const std::set<std::string> by_solution_;
};

}  // namespace

Verdict judge_goal(const PageSource& source, const OpenPage& page, const PageTask& task) {
    Verdict verdict = judge(task, "", PageScope(page).scope());
    const std::shared_ptr<const Document> written = source.documents.at(page.index);
    const bool is_by_hand = written && page.space &&
                            written->interventions != page.space->session.document().interventions;
    if (verdict.is != Verdict::Is::Right || !is_by_hand) return verdict;
    if (const Tensor* tensor = SetByHand(page, task, *written).find_not_offered())
        return {Verdict::Is::Wrong,
                fmt::format("Not yet: what was set by hand in {} does not count, since the page "
                            "does not let one change it.",
                            tensor->path())};
    return verdict;
}

namespace {

/// Returns the first part of a condition that compares numbers; null if there is none.
const ExpressionNode* first_comparison(const ExpressionNode& node) {
    const bool is_near = node.kind == ExpressionNode::Kind::Call && node.text == "near";
    if (is_near || node.kind == ExpressionNode::Kind::Compare) return &node;
    const bool joins =
        node.kind == ExpressionNode::Kind::Binary && (node.text == "and" || node.text == "or");
    if (!joins && node.kind != ExpressionNode::Kind::Not) return nullptr;
    for (const ExpressionNode& part : node.children)
        if (const ExpressionNode* found = first_comparison(part)) return found;
    return nullptr;
}

bool is_written_number(const ExpressionNode& node) {
    const bool is_negative = node.kind == ExpressionNode::Kind::Minus;
    return is_negative ? is_written_number(node.children.front())
                       : node.kind == ExpressionNode::Kind::Number;
}

}  // namespace

std::optional<double> goal_number(const PageTask& task, const ExpressionScope& scope) {
    const Expression& goal = task.expression;
    const ExpressionNode* compared = goal.root ? first_comparison(*goal.root) : nullptr;
    if (!compared) return std::nullopt;
    const std::size_t n_sides = compared->kind == ExpressionNode::Kind::Call ? 1 : 2;
    for (const ExpressionNode& side : std::span(compared->children).first(n_sides)) {
        if (is_written_number(side)) continue;
        try {
            const Value value = evaluate({goal.text, goal.where, {goal.root, &side}}, scope);
            if (value.is_number()) return value.number();
        } catch (const Error&) {
            // It is a name, or has no value now; the other side may have one.
        }
    }
    return std::nullopt;
}

}  // namespace headlight
