#include "scene/options/watched_selection.h"

#include "core/analyses/head_metrics.h"
#include "scene/figures/panels_view.h"
#include "scene/tables/heads_table.h"
#include "scene/workspace.h"

namespace headlight {
namespace {

/// What the thumbnails of an attention are made of, and what its heads do.
void watch_heads(Watched& watched, const Trace& trace, const Component& attention) {
    const bool has_overviews = find_of_head(trace, attention, 0, Role::Overview);
    for (const Role role : {has_overviews ? Role::Overview : Role::Pattern, Role::Metrics})
        watched.globs.push_back(attention.path + ".heads.*." + std::string(role_name(role)));
}

/// The scores of a head, and its pattern.
void watch_scores(Watched& watched, const Component& attention, int head) {
    const Location place = attention.place.of_head(head);
    watched.globs.push_back(place.at("*scores").path);
    watched.globs.push_back(place.at(Role::Pattern).path);
}

/// Watches, in another head, the tensors that are looked at in this one.
void watch_other_head(Watched& watched, const Workspace& space, const OtherHead& other) {
    const Component* attention = find_component(space.components, other.attention);
    if (!attention || !space.page) return;
    watch_scores(watched, *attention, other.head);
    for (std::size_t i = 0, n = watched.globs.size(); i < n; ++i)
        if (const Tensor* tensor = space.page->find(watched.globs[i]))
            watched.globs.push_back(path_of_other(*tensor, *attention, other.head));
}

/// True if the heads of A and B are compared on the probe.
bool compares_on_probe(const Workspace& space) {
    const Trace* b = space.comparison.trace();
    return b && space.page && measures_induction_apart(space.page->plan(), b->plan());
}

/// What takes long waits until the chosen matrix is there; what is there already stays.
bool must_wait(const Trace& trace, const Component& attention, const std::string& chosen) {
    const Tensor* overview = find_of_head(trace, attention, 0, Role::Overview);
    const Tensor* shown = trace.find(chosen);
    return overview && !overview->value && shown && !shown->value;
}

void watch_panels(Watched& watched, const Workspace& space) {
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    for (std::string& path : panel_paths(scene)) watched.globs.push_back(std::move(path));
}

}  // namespace

void watch_selection(Workspace& space) {
    const Selection& selection = space.selection;
    Watched watched{.everything = false, .globs = selection.watched_globs()};
    const Component* attention = shown_attention(space.components, selection);
    if (attention && space.page) {
        watch_scores(watched, *attention, selection.head);
        for (const int head : selection.also_heads)
            watched.globs.push_back(attention->place.of_head(head).at(Role::Pattern).path);
        if (!must_wait(*space.page, *attention, selection.chosen))
            watch_heads(watched, *space.page, *attention);
        watched.globs.emplace_back(kChancePath);
    }
    if (selection.view == MiddleView::AllHeads && space.page)
        for (const Component* each : all_attentions(space.components))
            watch_heads(watched, *space.page, *each);
    if (selection.view == MiddleView::AllHeads && compares_on_probe(space))
        watched.globs.emplace_back(kProbePatterns);
    if (selection.view == MiddleView::Plane && !selection.matrix.against.empty())
        watched.globs.push_back(selection.matrix.against);
    if (selection.view == MiddleView::Panels && space.page) watch_panels(watched, space);
    if (const Component* open = find_component(space.components, space.selection.component);
        open && space.page)
        for (const TensorId id : shown_tensors(*space.page, *open, space.selection.head))
            watched.globs.push_back((*space.page)[id].path());
    if (selection.scales.has_dark_zero(Quantity::Probability))
        watched.globs.push_back("*" + std::string(role_name(Role::Mask)));
    watched.globs.insert(watched.globs.end(), space.exported.begin(), space.exported.end());
    space.watched = watched;
    if (const OtherHead* other = space.comparison.other<OtherHead>())
        watch_other_head(watched, space, *other);
    space.session.watch(std::move(watched));
}

}  // namespace headlight
