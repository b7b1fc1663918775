#include "views/selection.h"

#include <algorithm>
#include <utility>

#include "core/components.h"

namespace headlight {
namespace {

/// A row has moved if one of its weights has changed by this much.
constexpr Scalar kMovedWeight = 0.1f;

/// Rows stay marked for so long. Letters that are typed faster than that belong to one change.
constexpr double kMarked_secs = 3;

}  // namespace

void ChangedRows::follow(const Trace& page, const Component* attention, double now_secs) {
    Patterns now{page.items(), {}};
    for (int h = 0; attention && h < attention->n_heads; ++h) {
        const std::string path = attention->place.of_head(h).at(Role::Pattern).path;
        if (const Tensor* pattern = page.find(path); pattern && pattern->value)
            now.by_path[path] = pattern->value;
    }
    if (now.words != last_words_) {
        changed_secs_ = last_words_.empty() ? now_secs - kMarked_secs : now_secs;
        last_words_ = now.words;
    }
    const double left_secs = kMarked_secs - (now_secs - changed_secs_);
    strength_ = left_secs > 0 ? static_cast<float>(left_secs / kMarked_secs) : 0;
    rows_.clear();
    if (strength_ == 0)
        before_ = std::move(now);
    else
        compare(now);
}

void ChangedRows::compare(const Patterns& now) {
    if (before_.words.size() != now.words.size() || before_.words == now.words) return;
    for (const auto& [path, values] : now.by_path) {
        const auto before = before_.by_path.find(path);
        if (before == before_.by_path.end() || before->second == values ||
            before->second->rows() != values->rows() || before->second->cols() != values->cols())
            continue;
        for (Index row = 0; row < values->rows(); ++row)
            if ((before->second->row(row) - values->row(row)).cwiseAbs().maxCoeff() > kMovedWeight)
                rows_[path].push_back(row);
    }
}

std::vector<Index> ChangedRows::rows_of(const std::string& path) const {
    const auto found = rows_.find(path);
    return found == rows_.end() ? std::vector<Index>() : found->second;
}

Pick pick_item(Index item, int list) {
    Pick pick;
    pick.indices.query = item;
    pick.indices.query_list = list;
    return pick;
}

Pick pick_at(const Trace& trace, const Tensor& tensor, Index row, Index column) {
    return {axis_indices(trace, tensor, row, column), CellPlace{tensor.path(), row, column}};
}

PictureView PictureViews::of(const Tensor& tensor) const {
    const auto found = views_.find(view_axes(tensor));
    return found == views_.end() ? PictureView{} : found->second;
}

void PictureViews::set(const Tensor& tensor, const PictureView& view) {
    if (view.is_whole())
        views_.erase(view_axes(tensor));
    else
        views_[view_axes(tensor)] = view;
}

PictureViews::Axes PictureViews::view_axes(const Tensor& tensor) {
    return {tensor.rows().kind, tensor.rows().list, tensor.columns().kind, tensor.columns().list};
}

namespace {

/// A move from one part to another, or to another head of the same.
struct Move {
    const Component &from, &to;
    int head;
};

/// Returns the path of the tensor of that name in the layer, beside its attention or MLP.
std::string path_beside(const Component& component, std::string_view name) {
    const ComponentKind kind = component.place.component;
    const bool has_others = kind == ComponentKind::Attention ||
                            kind == ComponentKind::CrossAttention || kind == ComponentKind::Mlp;
    return has_others ? component.place.beside(name).path : "";
}

/// Returns the path of the same tensor in another component and head; "" if there is none like it.
std::string moved_path(const Trace& trace, const std::string& path, const Move& move) {
    const Tensor* tensor = trace.find(path);
    if (!tensor) return "";
    const Identity& identity = tensor->identity();
    if (!move.from.has(identity) || identity.at(tensor->name()).path != path)
        return path_beside(move.to, tensor->name());
    Location place = move.to.place;
    if (identity.head >= 0) place.head = move.head;
    place.kv_group = identity.kv_group;
    return place.at(tensor->name()).path;
}

/// Returns the tensor that a part shows first: its pattern, or else the last of its tensors that is
/// no mask.
std::string main_tensor(const Trace& trace, const Component& component, int head) {
    if (const Tensor* pattern = find_of_head(trace, component, head, Role::Pattern))
        return pattern->path();
    std::vector<TensorId> shown = shown_tensors(trace, component, head);
    while (shown.size() > 1 && trace[shown.back()].quantity() == Quantity::Mask) shown.pop_back();
    return trace[shown.empty() ? component.tensors.back() : shown.back()].path();
}

bool has_cell(const Trace& trace, const CellPlace& cell) {
    const Tensor* tensor = trace.find(cell.path);
    return tensor && cell.row < tensor->rows().size && cell.column < tensor->columns().size;
}

Index count_items(const Trace& trace, int list) {
    const auto l = static_cast<std::size_t>(list);
    return l < trace.lists().size() ? static_cast<Index>(trace.items(list).size()) : Index(0);
}

bool is_inside(const Trace& trace, const AxisIndices& indices) {
    const Index n_edges = trace.edges() ? trace.edges()->size() : 0;
    return (!indices.query || *indices.query < count_items(trace, indices.query_list)) &&
           (!indices.key || *indices.key < count_items(trace, indices.key_list)) &&
           (!indices.edge || *indices.edge < n_edges);
}

/// The item that others may be held beside: the one that looks, or else the one that is looked at.
struct HeldItem {
    enum class Role { Looks, IsLookedAt } role = Role::Looks;
    std::optional<Index> index;
    int list = 0;
};

HeldItem held_item(const AxisIndices& indices) {
    if (indices.query || !indices.key)
        return {HeldItem::Role::Looks, indices.query, indices.query_list};
    return {HeldItem::Role::IsLookedAt, indices.key, indices.key_list};
}

/// Returns the attention of a study that is looked at first.
const Component& first_component(const Components& components) {
    const Component* best = &components.front();
    for (const Component& component : components) {
        const bool decides = component.is_cross() || component.is_of_class();
        if (component.n_heads > 0 && (best->n_heads == 0 || decides)) best = &component;
        if (decides) break;
    }
    return *best;
}

}  // namespace

bool Selection::advance() {
    const bool is_new = !(next_hovered_ == hovered_) || next_highlighted_ != highlighted_;
    hovered_ = std::exchange(next_hovered_, {});
    highlighted_ = std::exchange(next_highlighted_, {});
    return is_new;
}

void Selection::toggle(const Pick& pick) {
    const HeldItem item = held_item(pick.indices);
    const HeldItem held = held_item(held_.indices);
    if (!item.index || !held.index || item.role != held.role || item.list != held.list)
        return hold(pick);
    std::vector<Index>& also = held_.indices.also;
    const auto at = std::find(also.begin(), also.end(), *item.index);
    if (at != also.end())
        also.erase(at);
    else if (*item.index != *held.index)
        also.push_back(*item.index);
    else
        let_go_of_first();
}

/// The next of the items that are held together takes the place of the first one.
void Selection::let_go_of_first() {
    AxisIndices& held = held_.indices;
    if (held.also.empty()) return release();
    std::optional<Index>& item = held.query ? held.query : held.key;
    const Index first = std::exchange(*item, held.also.front());
    held.also.erase(held.also.begin());
    const bool is_row = held_.cell && held_.cell->row == first && !held.edge;
    if (is_row) return void(held_.cell->row = *held.query);
    if (!held.query) return;
    std::vector<Index> also = std::move(held.also);
    held_ = pick_item(*held.query, held.query_list);
    held_.indices.also = std::move(also);
}

void Selection::extend(Index step, Index n) {
    AxisIndices& held = held_.indices;
    const std::optional<Index> first = held_item(held).index;
    if (!first || step == 0) return;
    const Index next = (held.also.empty() ? *first : held.also.back()) + step;
    if (next < 0 || next >= n) return;
    const auto same = std::find(held.also.begin(), held.also.end(), next);
    if (next == *first || same != held.also.end())
        held.also.pop_back();
    else
        held.also.push_back(next);
}

std::vector<std::string> Selection::watched_globs() const {
    std::vector<std::string> globs{chosen};
    if (has_composition_open) globs.emplace_back("composition.*");
    return globs;
}

Selection Selection::afresh() const {
    Selection fresh;
    fresh.scales = scales;
    return fresh;
}

void Selection::fit(const Trace& trace, const Components& components) {
    if (!find_component(components, component)) component = first_component(components).path;
    if (const Component* attention = shown_attention(components, *this))
        head = std::clamp(head, 0, attention->n_heads - 1);
    std::erase_if(also_heads, [&](int also) {
        const Component* attention = shown_attention(components, *this);
        return also == head || !attention || also >= attention->n_heads;
    });
    if (!trace.find(chosen)) chosen = main_tensor(trace, open_component(components, *this), head);
    std::erase_if(looks.panels.matrices,
                  [&](const std::string& path) { return !trace.find(path); });
    for (Pick* pick : {&hovered_, &held_}) {
        const Index n = count_items(trace, held_item(pick->indices).list);
        std::erase_if(pick->indices.also, [n](Index item) { return item >= n; });
        if (!is_inside(trace, pick->indices) || (pick->cell && !has_cell(trace, *pick->cell)))
            *pick = {};
    }
    const Tensor* of = held_.cell ? trace.find(held_.cell->path) : nullptr;
    if (block_ && !(of && block_->is_within(of->rows().size, of->columns().size))) block_.reset();
}

std::optional<CellRange> Selection::held_cells() const {
    if (!held_.cell) return std::nullopt;
    const auto [path, row, column] = *held_.cell;
    return block_ && block_->contains(row, column) ? *block_ : CellRange{row, column};
}

void Selection::hold_block(Pick pick, const CellRange& block) {
    keep_held(std::move(pick));
    if (held_.cell && block.size() > 1 && block.contains(held_.cell->row, held_.cell->column))
        block_ = block;
}

void Selection::choose_component(const Trace& trace, const Components& components,
                                 const std::string& path) {
    view = ViewId::Matrix;
    const Component* to = find_component(components, path);
    if (!to) return;
    const Component from = open_component(components, *this);
    component = path;
    if (to->n_heads > 0) head = std::min(head, to->n_heads - 1);
    chosen = moved_path(trace, chosen, {from, *to, head});
    if (!trace.find(chosen) || component_with(trace, components, chosen) != to)
        chosen = main_tensor(trace, *to, head);
    if (held_.cell && held_.cell->path != chosen) {
        held_.cell->path = moved_path(trace, held_.cell->path, {from, *to, head});
        if (!has_cell(trace, *held_.cell)) held_.cell.reset();
    }
    fit(trace, components);
}

void Selection::choose_head(const Trace& trace, const Components& components, int new_head) {
    const Component* attention = shown_attention(components, *this);
    if (!attention) return;
    if (attention->path != component) {
        const ViewId was = view;
        choose_component(trace, components, attention->path);
        if (was != ViewId::Matrix && was != ViewId::Heads) view = was;
    }
    head = new_head;
    also_heads.clear();
    const Move move{*attention, *attention, head};
    chosen = moved_path(trace, chosen, move);
    if (!trace.find(chosen)) chosen = main_tensor(trace, *attention, head);
    if (held_.cell) held_.cell->path = moved_path(trace, held_.cell->path, move);
    fit(trace, components);
}

void Selection::toggle_head(const Trace& trace, const Components& components, int toggled) {
    const auto at = std::find(also_heads.begin(), also_heads.end(), toggled);
    if (at != also_heads.end()) return void(also_heads.erase(at));
    if (toggled != head) return also_heads.push_back(toggled);
    if (also_heads.empty()) return;
    std::vector<int> left(also_heads.begin() + 1, also_heads.end());
    choose_head(trace, components, also_heads.front());
    also_heads = std::move(left);
}

std::vector<int> Selection::shown_heads() const {
    std::vector<int> heads = also_heads;
    heads.push_back(head);
    std::sort(heads.begin(), heads.end());
    return heads;
}

void Selection::choose_tensor(const Trace& trace, const Components& components,
                              const std::string& path) {
    view = ViewId::Matrix;
    const Component* of = component_with(trace, components, path);
    if (of && !(of->path == component)) {
        const auto shown = shown_tensors(trace, open_component(components, *this), head);
        // Tensors that the open part reads from others are shown in it, and can be looked at there.
        if (std::find(shown.begin(), shown.end(), trace.id_at(path)) == shown.end())
            component = of->path;
    }
    const Tensor* tensor = trace.find(path);
    if (tensor && tensor->identity().head >= 0) head = tensor->identity().head;
    chosen = path;
}

void Selection::go_to(const Trace& trace, const Components& components, const CellPlace& cell) {
    constexpr std::size_t kMostVisits = 100;
    if (visited_.size() == kMostVisits) visited_.erase(visited_.begin());
    visited_.push_back({component, chosen, head, view, held_});
    choose_tensor(trace, components, cell.path);
    keep_held(pick_at(trace, trace.at(cell.path), cell.row, cell.column));
}

void Selection::go_back(const Trace& trace, const Components& components) {
    if (visited_.empty()) return;
    Visit visit = std::move(visited_.back());
    visited_.pop_back();
    component = std::move(visit.component);
    chosen = std::move(visit.chosen);
    head = visit.head;
    view = visit.view;
    held_ = std::move(visit.held);
    fit(trace, components);
}

const Component& open_component(const Components& components, const Selection& selection) {
    const Component* component = find_component(components, selection.component);
    return component ? *component : first_component(components);
}

const Component* shown_attention(const Components& components, const Selection& selection) {
    if (components.empty()) return nullptr;
    const Component* open = &open_component(components, selection);
    if (open->n_heads > 0) return open;
    const Component *before = nullptr, *after = nullptr;
    for (const Component& component : components) {
        if (component.n_heads == 0) continue;
        if (&component < open) before = &component;
        if (&component > open && !after) after = &component;
    }
    return before ? before : after;
}

std::vector<const Component*> all_attentions(const Components& components) {
    std::vector<const Component*> attentions;
    for (const Component& component : components)
        if (component.n_heads > 0 && !component.is_of_step()) attentions.push_back(&component);
    return attentions;
}

const Tensor* shown_pattern(const Trace& trace, const Components& components,
                            const Selection& selection) {
    const Component* attention = shown_attention(components, selection);
    if (!attention) return nullptr;
    const int head = std::clamp(selection.head, 0, attention->n_heads - 1);
    return find_of_head(trace, *attention, head, Role::Pattern);
}

bool shows_picture_alone(const Trace& trace, const Selection& selection) {
    const Tensor* chosen = trace.find(selection.chosen);
    return chosen && chosen->identity().role == Role::Pattern;
}

}  // namespace headlight
