#include "ui/dialogs/import_dialog.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <iterator>

#include "core/error.h"
#include "io/files/file.h"
#include "io/studies/import_memory.h"
#include "model/imports/import_choice.h"
#include "model/imports/known_names.h"
#include "text/strings.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr const char* kImportTitle = "Import matrices";
constexpr const char* kNowhere = "not imported";
constexpr float kTypeWidth = 76, kShapeWidth = 112;

std::vector<TensorMapping> of_array(const std::vector<TensorMapping>& mappings,
                                    const std::string& name) {
    std::vector<TensorMapping> own;
    std::ranges::copy_if(mappings, std::back_inserter(own),
                         [&](const TensorMapping& mapping) { return mapping.name == name; });
    return own;
}

bool all_fit(const std::vector<TensorMapping>& mappings, const std::vector<ArrayShape>& shapes,
             const Plan& plan) {
    return std::ranges::all_of(mappings, [&](const TensorMapping& mapping) {
        const PlannedTensor* tensor = plan.find(mapping.path);
        return tensor &&
               fits(mapping, *std::ranges::find(shapes, mapping.name, &ArrayShape::name), *tensor);
    });
}

/// Returns "blocks.0.attn.heads.0.W_Q", "6 parts: blocks.0.attn.heads.0.W_Q …".
std::string mapping_label(const std::vector<TensorMapping>& mappings, const ArrayShape& array) {
    const TensorMapping& first = mappings[0];
    const bool is_turned = first.turn == Turn::Transposed && array.columns > 1;
    if (mappings.size() > 1) return fmt::format("{} parts: {} …", mappings.size(), first.path);
    return first.path + (first.part ? ", a part" : "") + (is_turned ? ", transposed" : "");
}

}  // namespace

void ImportDialog::open(const std::filesystem::path& file, ArrayFile arrays, const Plan& plan) {
    file_ = file;
    shapes_ = array_shapes(arrays.arrays);
    rows_.clear();
    for (const StoredArray& array : arrays.arrays) rows_.push_back(make_row(array, plan));
    arrays_ = std::make_shared<const ArrayFile>(std::move(arrays));
    const GuessedMappings guessed = guess_mappings(shapes_, plan);
    choose(guessed.mappings);
    const std::vector<TensorMapping> last = remembered_mappings(import_memory_file(), shapes_);
    if (all_fit(last, shapes_, plan)) choose(last);
    unused_ = guessed.problems;
    for (UnusedArray& array : arrays_without_numbers(arrays_->arrays))
        unused_.push_back(std::move(array));
    for (Row& row : rows_) {
        const auto unused = std::ranges::find(unused_, row.name, &UnusedArray::name);
        if (unused != unused_.end()) row.problem = unused->why;
    }
    problem_.clear();
    dialog_.open();
}

/// Lists the destinations of an array: all matrices of its shape, as it is or transposed.
ImportDialog::Row ImportDialog::make_row(const StoredArray& array, const Plan& plan) const {
    Row row{array.name, type_text(array.type), shape_list(array.shape), {}, {{kNowhere, {}}}};
    const auto shape = std::ranges::find(shapes_, array.name, &ArrayShape::name);
    if (shape == shapes_.end()) return row;
    for (const Turn turn : {Turn::Kept, Turn::Transposed}) {
        const bool is_square = shape->rows == shape->columns;
        TensorMapping mapping{array.name, std::nullopt, turn, ""};
        for (const std::string& path : fitting_paths(mapping, *shape, plan)) {
            mapping.path = path;
            const bool is_there =
                turn == Turn::Transposed && !is_square &&
                std::ranges::any_of(row.options, [&](const Option& option) {
                    return !option.mappings.empty() && option.mappings[0].path == path;
                });
            if (!is_there) row.options.push_back({mapping_label({mapping}, *shape), {mapping}});
        }
    }
    return row;
}

/// Chooses the mappings that fit this study. An array in several mappings is chosen as a whole.
void ImportDialog::choose(const std::vector<TensorMapping>& mappings) {
    for (Row& row : rows_) {
        std::vector<TensorMapping> own = of_array(mappings, row.name);
        if (own.empty()) continue;
        const auto there = std::ranges::find(row.options, own, &Option::mappings);
        row.chosen = static_cast<int>(there - row.options.begin());
        if (there != row.options.end()) continue;
        const ArrayShape& shape = *std::ranges::find(shapes_, row.name, &ArrayShape::name);
        row.options.push_back({mapping_label(own, shape), std::move(own)});
    }
}

std::vector<TensorMapping> ImportDialog::mappings() const {
    std::vector<TensorMapping> all;
    for (const Row& row : rows_)
        for (const TensorMapping& mapping :
             row.options[static_cast<std::size_t>(row.chosen)].mappings)
            all.push_back(mapping);
    return all;
}

Edit ImportDialog::edit() const {
    const std::vector<TensorMapping> all = mappings();
    const std::string count = counted(std::ssize(all), "matrix", "matrices");
    return {.label = fmt::format("Import {} from {}", count, path_text(file_.filename())),
            .change = [all, arrays = arrays_, pairs = rotary_pairs_](Document& document) {
                if (pairs) set_rotary_pairs(document, *pairs);
                import_arrays(document, *arrays, all);
            }};
}

/// Summarizes what the chosen mappings would set, leave and not use.
void ImportDialog::summarize(PanelContext& context) {
    ImportChoice choice{mappings(), {}};
    std::string twice;
    for (const TensorMapping& mapping : choice.mappings)
        if (std::ranges::count(choice.mappings, mapping.path, &TensorMapping::path) > 1)
            twice = mapping.path;
    choice.unused = unused_arrays(choice.mappings, unused_, shapes_);
    for (const UnusedArray& array : unused_)
        if (std::ranges::find(shapes_, array.name, &ArrayShape::name) == shapes_.end())
            choice.unused.push_back(array);
    const WeightsLeft left = weights_left(context.document, *context.trace, choice.mappings);
    summary_ = import_summary(choice, left, context.document.seed);
    if (rotary_pairs_) summary_.push_back(rotary_reason(*rotary_pairs_, shapes_));
    is_all_mapped_ = choice.unused.empty() && left.weights.empty();
    problem_ = twice.empty() ? "" : fmt::format("More than one array goes to {}.", twice);
}

void ImportDialog::finish() {
    dialog_.close();
    try {
        remember_mappings(import_memory_file(), shapes_, mappings());
    } catch (const Error&) {
        // The import is done; only the next one will have to guess again.
    }
}

std::optional<Edit> ImportDialog::draw(PanelContext& context) {
    if (dialog_.will_open()) {
        rotary_pairs_ = rotary_pairs_for(context.document, shapes_);
        summarize(context);
    }
    if (!dialog_.begin(context, {.title = kImportTitle, .size = {860, 560}})) return std::nullopt;
    widgets::hint(context, path_text(file_) + ": where each matrix goes in the current study.");
    for (const std::string& note : arrays_->notes) widgets::hint(context, note);
    draw_table(context);
    draw_summary(context);
    std::optional<Edit> asked;
    draw_buttons(context, asked);
    dialog_.end(context);
    return asked;
}

void ImportDialog::draw_summary(PanelContext& context) {
    constexpr std::size_t kLongest = 150;
    for (const std::string& line : summary_) {
        const std::string text = printable(line);
        widgets::hint(context, text.size() > kLongest
                                   ? text.substr(0, text.rfind(',', kLongest)) + ", …"
                                   : text);
        widgets::tooltip(text.c_str());
    }
    if (!problem_.empty())
        ImGui::TextColored(im_vec(context.theme.warning), "%s", widgets::as_read(problem_).c_str());
}

void ImportDialog::draw_buttons(PanelContext& context, std::optional<Edit>& asked) {
    const bool can_import =
        !mappings().empty() && problem_.empty() && (!is_strict_ || is_all_mapped_);
    if (widgets::button(context, "Import", "As one step that can be undone",
                        can_import ? widgets::Enabled::Yes : widgets::Enabled::No))
        asked = edit();
    ImGui::SameLine();
    if (widgets::button(context, "Cancel", nullptr)) dialog_.close();
    ImGui::SameLine();
    ImGui::Checkbox("Strict", &is_strict_);
    widgets::name_item(context, "switch Strict");
    widgets::tooltip(
        "Import only if every array of the file and every weight of the study is matched");
    if (!rotary_pairs_) return;
    widgets::same_line_if_fits(widgets::labelled_width("Rotary pairs", 120), 8);
    constexpr const char* kPairs[] = {"interleaved", "halves"};
    int chosen = static_cast<int>(*rotary_pairs_);
    if (!widgets::row_choice(context, "Rotary pairs", chosen, kPairs, 120)) return;
    rotary_pairs_ = static_cast<RotaryPairs>(chosen);
    summarize(context);
}

void ImportDialog::draw_table(PanelContext& context) {
    const auto n_lines = static_cast<float>(2 * summary_.size() + 1);
    const float height =
        -1.2f * ImGui::GetFrameHeightWithSpacing() - n_lines * ImGui::GetTextLineHeight();
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH |
                                       ImGuiTableFlags_BordersOuter | ImGuiTableFlags_RowBg;
    // In a narrow window the names have the room, and the rest stands in their tooltips.
    constexpr float kNarrow = 560;
    const ImGuiTableColumnFlags more =
        ImGuiTableColumnFlags_WidthFixed |
        (ImGui::GetContentRegionAvail().x < kNarrow ? ImGuiTableColumnFlags_Disabled
                                                    : ImGuiTableColumnFlags_None);
    if (!ImGui::BeginTable("arrays", 4, kFlags, {0, height})) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("In the file", ImGuiTableColumnFlags_WidthStretch, 0.8f);
    ImGui::TableSetupColumn("Type", more, kTypeWidth);
    ImGui::TableSetupColumn("Shape", more, kShapeWidth);
    ImGui::TableSetupColumn("Goes to", ImGuiTableColumnFlags_WidthStretch, 1.2f);
    ImGui::TableHeadersRow();
    for (Row& row : rows_) draw_row(context, row);
    ImGui::EndTable();
}

void ImportDialog::draw_row(PanelContext& context, Row& row) {
    const auto text = [](const std::string& shown) {
        ImGui::TableNextColumn();
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(shown.c_str());
    };
    ImGui::TableNextRow();
    ImGui::PushID(row.name.c_str());
    text(printable(row.name));
    widgets::tooltip(fmt::format("{}  {} {}", printable(row.name), row.type, row.shape).c_str());
    text(row.type);
    text(row.shape);
    ImGui::TableNextColumn();
    std::vector<const char*> labels;
    for (const Option& option : row.options) labels.push_back(option.label.c_str());
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (widgets::choice_field(context, row.name.c_str(), row.chosen, labels)) summarize(context);
    if (row.chosen == 0 && !row.problem.empty()) widgets::hint(context, row.problem);
    ImGui::PopID();
}

}  // namespace headlight
