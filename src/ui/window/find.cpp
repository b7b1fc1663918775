#include "ui/window/find.h"

#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "figure/words/formula.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "model/cell_changes.h"
#include "model/changes.h"
#include "model/document.h"
#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"
#include "present/lessons.h"
#include "ui/tabs/tab_row.h"
#include "ui/window/commands.h"
#include "ui/window/workbench_state.h"
#include "views/cell_edits.h"
#include "views/held.h"
#include "views/readout_view.h"
#include "views/view_table.h"
#include "views/views.h"
#include "views/word_lines_view.h"

namespace headlight {
namespace {

struct SettingEntry {
    std::string name;  // "Heads", "Causal: on"
    std::string what;  // "4 now; attention heads in each layer."
    std::string section, label;
    std::optional<Study> changed;  // with this choice taken; null: a number, typed into its field
    std::string change;            // "Set causal on"
};

/// Goes through the settings of its own copy of the study. See model/settings/settings.h.
template <typename AnyStudy>
class Finder {
  public:
    explicit Finder(const AnyStudy& study) : study_(study) {}

    std::vector<SettingEntry> find() {
        visit_fields(study_, *this);
        return std::move(entries_);
    }

    void section(const char* label) { section_ = label; }
    void number(const Field& field, auto& value, auto range) {
        add(field, field.label, fmt::format("{} now, {}", setting_text(value), range_text(range)));
    }
    void widths(const Field& field, Widths& value, WidthRange range) {
        add(field, field.label, fmt::format("{} now, {}", spoken(value, range), range_text(range)));
    }
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& value, const EnumNames<Choice, n>& words) {
        for (const auto& [word, choice] : words)
            if (choice != value)
                add_change(field, value, choice, spoken(word), change_name(field, spoken(word)));
    }
    void flag(const Field& field, Switch& value) {
        const Switch other = value == Switch::On ? Switch::Off : Switch::On;
        add_change(field, value, other, setting_text(other), change_name(field, other));
    }
    void group(const Field& field, auto& settings) {
        relevance_.inside(field, [&] { visit_fields(settings, *this); });
    }

  private:
    SettingEntry* add(const Field& field, const std::string& name, const std::string& what) {
        if (!relevance_.of(field)) return nullptr;
        entries_.push_back(
            {name, fmt::format("{} · {}", what, field.help), section_, field.label, {}, {}});
        return &entries_.back();
    }

    template <typename Value>
    void add_change(const Field& field, Value& value, Value changed, const std::string& word,
                    const std::string& change) {
        SettingEntry* entry = add(field, fmt::format("{}: {}", field.label, word), section_);
        if (!entry) return;
        const Value before = std::exchange(value, changed);
        entry->changed = study_;
        entry->change = change;
        value = before;
    }

    AnyStudy study_;
    Relevance relevance_;
    std::string section_;
    std::vector<SettingEntry> entries_;
};

/// Returns the settings that have an effect, in the order of the form. A choice has an entry for
/// each value that is not taken.
std::vector<SettingEntry> setting_entries(const Study& study) {
    return std::visit([](const auto& any) { return Finder(any).find(); }, study);
}

using Entries = std::vector<PaletteEntry>;

/// Starts the study in the workspace of its kind, as a step that can be undone.
void start_preset(Studies& studies, const ReadyStudy& preset) {
    Document document = preset.make();
    studies.show(workspace_for(document.study));
    start_study(studies.shown(), std::move(document),
                "Start the study " + std::string(preset.name));
}

/// Takes a choice; a number waits in its field to be typed.
void take_setting(WorkbenchState& bench, const SettingEntry& setting) {
    if (!setting.changed) return bench.requests.setting.ask({setting.section, setting.label});
    bench.space().session.apply({.label = setting.change, .change = [&](Document& document) {
                                     set_settings(document, *setting.changed);
                                 }});
}

void add_commands(Entries& entries, WorkbenchState& bench) {
    for (const Command& command : all_commands()) {
        // The key first, so that a long description does not push it out of sight.
        const std::string keys = shown_keys(command);
        entries.push_back({command.name, keys + (keys.empty() ? "" : " · ") + command.what,
                           "command", [&bench, id = command.id] { run_command(bench, id); }});
    }
}

/// Adds the views as pictures and numbers, also those that are not seen now. One that is not there
/// says so when it is asked for.
void add_exports(Entries& entries, WorkbenchState& bench) {
    if (shows_lecture(bench)) return;  // the page's covers stay
    for (const ViewEntry& named : all_views()) {
        const ViewId view = named.id;
        if (!view_of(view).table && !is_shown(make_scene(bench), view)) continue;
        entries.push_back(
            {std::string("Export: ") + named.title,
             view_of(view).table ? "as a picture, or its numbers" : "as a picture", "export",
             [&bench, view] { bench.exports.open(make_scene(bench), bench.space().file, view); }});
        if (!view_of(view).table) continue;
        entries.push_back({std::string("Copy numbers: ") + named.title, "for a spreadsheet", "copy",
                           [&bench, view] {
                               const Scene scene = make_scene(bench);
                               bench.notice.say(
                                   FigureExporter::copy_table(scene, view, NumbersFormat::Tsv),
                                   Notice::Kind::Done);
                           }});
    }
}

void add_studies(Entries& entries, WorkbenchState& bench) {
    for (const ReadyStudy& preset : ready_studies())
        entries.push_back({preset.name, preset.what, "study", [&bench, &preset] {
                               if (preset.is_left_out)
                                   bench.notice.say(preset.name + ": " + preset.what);
                               else
                                   start_preset(bench.studies, preset);
                           }});
}

void add_lessons(Entries& entries, WorkbenchState& bench) {
    if (lessons().empty())
        entries.push_back(
            {"Lessons", kNoLessons, "lesson", [&bench] { bench.notice.say(kNoLessons); }});
    for (const Lesson& lesson : lessons())
        entries.push_back({lesson.title, std::string(lesson.name), "lesson",
                           [&bench, &lesson] { open_lesson(bench, std::string(lesson.name)); }});
}

void add_settings(Entries& entries, WorkbenchState& bench) {
    for (SettingEntry& setting : setting_entries(bench.space().session.document().study))
        entries.push_back({setting.name, setting.what, "setting",
                           [&bench, setting] { take_setting(bench, setting); }});
}

void add_tabs(Entries& entries, WorkbenchState& bench) {
    for (const StudyTab& tab : study_tabs(bench.studies))
        if (!tab.is_shown)
            entries.push_back({"Tab " + tab.name, tab.what, "study", [&bench, tab] {
                                   take_tab_request(bench, {tab.number, TabRequest::Show});
                               }});
}

void add_files(Entries& entries, FileActions& files) {
    for (const std::filesystem::path& file : files.recent_files())
        entries.push_back({"Open " + path_text(file.filename()), path_text(file.parent_path()),
                           "file", [&files, file] { files.open_file(file); }});
}

void add_changes(Entries& entries, Workspace& space) {
    const auto cells = chosen_cells(*space.trace, space.selection);
    if (!cells) return;
    for (const NamedChange& named : cell_changes()) {
        const Edit edit = change_edit(*space.trace, *cells, {.kind = named.change});
        if (named.operand != Operand::Number)
            entries.push_back(
                {edit.label, named.what, "change", [&space, edit] { space.session.apply(edit); }});
    }
}

void add_comparisons(Entries& entries, const Studies& studies, Workspace& space) {
    for (ComparisonChoice& choice : comparison_choices(studies))
        entries.push_back({"Compare with " + choice.name, choice.what, "comparison",
                           [&space, other = choice.other] { space.comparison.start(other); }});
}

void add_nodes(Entries& entries, Workspace& space) {
    const Graph* graph = space.session.document().drawn_graph();
    if (!graph) return;
    const std::vector<Node>& nodes = graph->nodes;
    for (int k = 0; k < static_cast<int>(nodes.size()); ++k)
        entries.push_back(
            {nodes[static_cast<std::size_t>(k)].name, "a node of the graph", "node", [&space, k] {
                 see_node(space.selection, *space.session.document().drawn_graph(), k);
             }});
}

/// Adds "source → target"; in an undirected graph both ways, since each end reads the other. Where
/// there are more, typing a letter would take too long.
void add_edges(Entries& entries, Workspace& space) {
    constexpr std::size_t kMostEdges = 50'000;
    const Graph* graph = space.session.document().drawn_graph();
    if (!graph || graph->edges.size() > kMostEdges) return;
    const auto add = [&](int source, int target) {
        const auto name_of = [&](int node) -> const std::string& {
            return graph->nodes[static_cast<std::size_t>(node)].name;
        };
        entries.push_back({fmt::format("{} → {}", name_of(source), name_of(target)),
                           "an edge of the graph", "edge", [&space, source, target] {
                               see_edge(space.selection, *space.trace, space.components,
                                        *space.session.document().drawn_graph(), {source, target});
                           }});
    };
    for (const Edge& edge : graph->edges) {
        add(edge.source, edge.target);
        if (!graph->directed && edge.source != edge.target) add(edge.target, edge.source);
    }
}

/// Adds heads with the names that people write: 7.5, L7H5, layer 7 head 5.
void add_heads(Entries& entries, Workspace& space) {
    const std::vector<const Component*> attentions = all_attentions(space.components);
    for (std::size_t row = 0; row < attentions.size(); ++row)
        for (int h = 0; h < attentions[row]->n_heads; ++h) {
            const Tensor* pattern = find_of_head(*space.trace, *attentions[row], h, Role::Pattern);
            if (!pattern) continue;
            const std::string layer = std::to_string(row), head = std::to_string(h);
            entries.push_back({fmt::format("Head {}.{} · layer {} head {}", layer, head, layer,
                                           head_word(*attentions[row], h)),
                               fmt::format("L{}H{} · {}", layer, head, attentions[row]->path),
                               "head", [&space, path = pattern->path()] { show(space, path); }});
        }
}

void add_parts(Entries& entries, Workspace& space) {
    for (const Component& component : space.components)
        entries.push_back({component.path, fmt::format("{} · {}", component.group, component.label),
                           "part", [&space, path = component.path] { show(space, path); }});
    for (const Tensor& tensor : space.trace->tensors())
        entries.push_back({tensor.path(), plain_formula(tensor.equation()), "matrix",
                           [&space, path = tensor.path()] { show(space, path); }});
}

/// Adds the views of the middle.
void add_views(Entries& entries, Workspace& space) {
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    for (const ViewEntry& view : all_views())
        if (view.stands_in_middle() && (view.has_content(scene) || view.has_button))
            entries.push_back({view.button ? view.button : view.title, view.help, "part",
                               [&space, word = view.word] { show(space, word); }});
}

}  // namespace

std::vector<PaletteEntry> palette_entries(WorkbenchState& bench) {
    Workspace& space = bench.space();
    Entries entries;
    add_commands(entries, bench);
    add_studies(entries, bench);
    add_lessons(entries, bench);
    add_settings(entries, bench);
    add_tabs(entries, bench);
    add_files(entries, bench.files);
    if (!space.trace) return entries;
    add_views(entries, space);  // before the exports, which have the same names after a word
    add_exports(entries, bench);
    add_changes(entries, space);
    add_nodes(entries, space);
    add_edges(entries, space);
    add_heads(entries, space);
    add_comparisons(entries, bench.studies, space);
    add_parts(entries, space);
    return entries;
}

}  // namespace headlight
