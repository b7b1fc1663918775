#include "ui/dialogs/export_frame.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <string>
#include <utility>

#include "core/error.h"
#include "figure/number_format.h"
#include "io/files/file.h"
#include "io/files/folder.h"
#include "io/host.h"
#include "io/pictures/figure_text.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

fs::path without_ending(const fs::path& file) {
    return file.parent_path() / file.stem();
}

fs::path ending_in(fs::path file, const std::string& ending) {
    return file.replace_extension(ending);
}

}  // namespace

void ExportFrame::fill(const fs::path& file) {
    text_ = file.string();
    ++filled_;
}

fs::path ExportFrame::propose(const fs::path& wanted) {
    const std::string ending = wanted.extension().string();
    const bool is_own = !proposed_.empty() && without_ending(wanted) == without_ending(proposed_);
    wanted_ = is_own ? ending_in(wanted_, ending) : wanted;
    proposed_ = free_name(wanted_);
    fill(proposed_);
    confirmed_.clear();
    return proposed_;
}

void ExportFrame::take(const fs::path& chosen) {
    fill(chosen);
    confirmed_ = chosen;
    open();
}

fs::path ExportFrame::with_ending(const fs::path& file, const std::string& ending) {
    if (file == proposed_) return propose(ending_in(wanted_, ending));
    const fs::path other = ending_in(file, ending);
    fill(other);
    return other;
}

ExportFrame::Answer ExportFrame::draw(PanelContext& context, const ExportParts& parts) {
    // Esc stops an export that is being done, and leaves the dialog.
    if (!dialog_.begin(context, {.title = parts.title,
                                 .size = parts.size,
                                 .is_left_by_escape = parts.progress == nullptr}))
        return Answer::None;
    const auto n_lines = static_cast<float>(parts.n_note_lines);
    const float foot =
        2 * ImGui::GetFrameHeightWithSpacing() + n_lines * ImGui::GetTextLineHeightWithSpacing();
    const float form = std::min(parts.form, 0.6f * ImGui::GetContentRegionAvail().x);
    compat::begin_child("form", {form, -foot}, compat::Border::No);
    parts.draw_form();
    ImGui::EndChild();
    ImGui::SameLine(0, 16);
    compat::begin_child("preview", {0, -foot}, compat::Border::No);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    parts.draw_preview({room.x, room.y});
    ImGui::EndChild();
    const Answer answer = draw_foot(context, parts);
    if (answer == Answer::Browse) close();
    dialog_.end(context);
    return answer;
}

void ExportFrame::draw_note(PanelContext& context, const ExportParts& parts) const {
    const std::string note = parts.note();
    if (parts.progress)
        widgets::hint(context, fmt::format("Exporting {}: {} %", parts.progress->at(),
                                           static_cast<int>(100 * parts.progress->share())));
    else if (problem_.empty())
        widgets::hint(context, note.empty() ? " " : note);
    else
        ImGui::TextColored(im_vec(context.theme.warning), "%s", widgets::as_read(problem_).c_str());
}

ExportFrame::Answer ExportFrame::draw_foot(PanelContext& context, const ExportParts& parts) {
    draw_note(context, parts);
    const Answer entered = draw_field(context);
    const bool can_export = !parts.progress && parts.can_export();
    const bool is_entered = can_export && entered == Answer::Export;
    std::optional<fs::path> existing;
    std::string wrong;  // a name that is half typed, for example
    try {
        existing = parts.take_name(text_);
        if (std::exchange(named_, text_) != text_) problem_.clear();
        if (parts.progress) existing.reset();
    } catch (const Error& error) {
        wrong = error.what();
    }
    const bool is_confirmed_now = can_export && existing && is_confirmed();
    const Answer pressed = draw_buttons(context, parts, can_export, existing);
    if (entered == Answer::Browse) return Answer::Browse;
    if (!wrong.empty()) {
        if (is_entered || pressed == Answer::Export) problem_ = wrong;
        return pressed == Answer::Stop ? pressed : Answer::None;
    }
    if (pressed != Answer::None) return pressed;
    if (is_confirmed_now) return Answer::Export;
    if (!is_entered) return Answer::None;
    if (may_write(existing)) return Answer::Export;
    problem_ = path_text(existing->filename()) + " exists already. Enter once more overwrites it.";
    return Answer::None;
}

/// Draws the buttons; while an export is being done it can only be stopped.
ExportFrame::Answer ExportFrame::draw_buttons(PanelContext& context, const ExportParts& parts,
                                              bool can_export,
                                              const std::optional<fs::path>& existing) {
    Answer answer = Answer::None;
    ImGui::BeginDisabled(!can_export);
    if (ImGui::Button(existing ? "Overwrite" : "Export")) answer = Answer::Export;
    ImGui::EndDisabled();
    widgets::name_item(context, "button Export");  // one button, whatever it says
    ImGui::SameLine();
    if (const auto copy = parts.copy ? parts.copy() : std::nullopt) {
        const auto enabled = can_export ? widgets::Enabled::Yes : widgets::Enabled::No;
        if (widgets::button(context, copy->label, copy->tooltip, enabled)) answer = Answer::Copy;
        ImGui::SameLine();
    }
    const bool is_left =
        widgets::button(context, "Cancel", nullptr) || context.regions.is_dismissed();
    if (existing) {
        const std::string text =
            "Exists already: " + widgets::as_read(path_text(existing->filename()));
        widgets::same_line_if_fits(ImGui::CalcTextSize(text.c_str()).x, 16);
        ImGui::TextColored(im_vec(context.theme.warning), "%s", text.c_str());
    }
    if (is_left && parts.progress) return Answer::Stop;
    if (is_left) close();
    return answer;
}

/// Draws the field, and the button for a folder.
ExportFrame::Answer ExportFrame::draw_field(PanelContext& context) {
    const float browse = ImGui::CalcTextSize("Browse…").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(widgets::right_edge() - ImGui::GetCursorPosX() - browse - 10);
    if (ImGui::IsWindowAppearing()) compat::focus_next_item();
    const std::string id = fmt::format("##file{}", filled_);
    const bool is_entered =
        widgets::text_field(context, id.c_str(), "", text_, ImGuiInputTextFlags_EnterReturnsTrue);
    widgets::name_item(context, "text File");
    ImGui::SameLine(0, 10);
    if (widgets::button(context, "Browse…", "Choose a folder")) return Answer::Browse;
    return is_entered ? Answer::Export : Answer::None;
}

/// False, the first time that Enter asks for the export, if `existing` would be overwritten.
bool ExportFrame::may_write(const std::optional<fs::path>& existing) {
    if (!existing || confirmed_ == text_) return true;
    confirmed_ = text_;
    return false;
}

/// True if Enter was pressed once more: after the first time the field does not have the keyboard.
bool ExportFrame::is_confirmed() const {
    return !text_.empty() && confirmed_ == text_ && !ImGui::IsAnyItemActive() &&
           compat::is_key_pressed(Key::Enter);
}

void ExportJob::start(ExportFrame& dialog, std::function<std::string(Progress&)> work,
                      std::function<void()> done) {
    if (is_running()) throw Error("export", "another export is running; wait for it, or cancel it");
    dialog_ = &dialog;
    done_ = std::move(done);
    work_.start(std::move(work), wake_);
}

void ExportJob::start_copy(ExportFrame& dialog, const std::string& done,
                           std::function<std::string(Progress&)> make_png) {
    start(dialog, [done, make_png = std::move(make_png)](Progress& progress) {
        progress.begin(1);
        progress.enter("the picture");
        const std::string png = make_png(progress);
        progress.enter("the picture");  // nothing is copied of what was cancelled
        host().copy_png(png);
        return done;
    });
}

std::optional<std::string> ExportJob::advance() {
    if (!work_.is_ready()) return std::nullopt;
    try {
        std::string words = work_.take();
        if (done_) done_();
        dialog_->close();
        return words;
    } catch (const Cancelled&) {
        const char* words = "The export was cancelled; nothing was written.";
        if (!dialog_->is_open()) return words;
        dialog_->show_problem(words);
    } catch (const Error& error) {
        if (!dialog_->is_open()) throw;
        dialog_->show_problem(error.what());
    }
    return std::nullopt;
}

namespace {

constexpr float kPreviewedPaper = 1.4f;  // points of the window to a point on paper

std::string size_text(const ViewFigure& view, const FigureSheet& sheet) {
    const Figure& figure = view.figure;
    const auto mm = [&](float points) {
        return format_value(points * sheet.scale / kPointsPerInch * kMillimetresPerInch, 1);
    };
    const auto pixels = [&](float points) {
        return format_count(
            static_cast<Index>(std::ceil(points * sheet.pixels_per_point() - 1e-3f)));
    };
    return fmt::format(
        "{} × {} mm · {} × {} pixels{}", mm(figure.width), mm(figure.height), pixels(figure.width),
        pixels(figure.height),
        view.look.type ? fmt::format(" · labels {} pt", format_value(sheet.scale * kLabelType, 1))
                       : "");
}

/// The chessboard stands for the parts that are clear.
void draw_chessboard(const Theme& theme, Box box) {
    constexpr float kSide = 8;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, im_color(theme.card));
    const ImU32 dark = im_color(theme.border);
    for (int row = 0; row * kSide < box.height; ++row)
        for (int column = row % 2; column * kSide < box.width; column += 2) {
            const float x = box.x + column * kSide, y = box.y + row * kSide;
            list.AddRectFilled(
                {x, y}, {std::min(x + kSide, box.right()), std::min(y + kSide, box.bottom())},
                dark);
        }
}

}  // namespace

void draw_export_preview(PanelContext& context, const ViewFigure& view, const FigureSheet& sheet,
                         Point size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Figure& figure = view.figure;
    context.painter.push_font(Font::Regular, 11);
    const std::string sizes = size_text(view, sheet);
    const float width = ImGui::CalcTextSize(sizes.c_str()).x;
    context.painter.pop_font();
    const float line = width < size.x ? 22 : 38;  // or two lines
    // A figure that is arranged for paper keeps its size there, whatever its type is.
    const float most = view.look.type ? kPreviewedPaper * sheet.scale : 1.0f;
    const float scale = std::min({size.x / figure.width, (size.y - line) / figure.height, most});
    const Box box{at.x + (size.x - figure.width * scale) / 2, at.y, figure.width * scale,
                  figure.height * scale};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (sheet.background.a == 0)
        draw_chessboard(context.theme, box);
    else
        list.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, im_color(sheet.background));
    context.painter.draw(figure, {box.x, box.y}, scale);
    list.AddRect({box.x, box.y}, {box.right(), box.bottom()}, im_color(context.theme.border));
    context.regions.add("preview", box);
    const float left = std::max(at.x, std::min(box.x, at.x + size.x - width));
    ImGui::SetCursorScreenPos({left, box.bottom() + 5});
    widgets::hint(context, sizes);
}

}  // namespace headlight
