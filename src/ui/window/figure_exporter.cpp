#include "ui/window/figure_exporter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "figure/number_format.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/png_image.h"
#include "io/text/csv.h"
#include "io/text/labelled_table.h"
#include "ui/compat.h"
#include "ui/dialogs/export_form.h"
#include "ui/dialogs/export_frame.h"
#include "ui/widgets/color_map_field.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/export/export_arguments.h"
#include "views/export/export_work.h"
#include "views/export/look_names.h"
#include "views/finished_sweep.h"
#include "views/panels_view.h"
#include "views/view_table.h"

namespace headlight {
namespace {

constexpr Index kMostPreviewed = 100000;  // numbers
constexpr std::size_t kPreviewLetters = 1600;

/// Returns the table as text; the names of columns are listed where the file has none.
std::string table_preview(const ExportWork& work) {
    const Table& table = *work.table;
    std::string text = fmt::format("{}\n{} rows\n", table.caption, table.n_rows());
    if (work.exporter->is_text)
        return fmt::format("{}\n{}", text, bytes_of(work, work.files.front(), {}));
    const std::vector<std::string> columns = number_columns(table);
    text += fmt::format("only the numbers, {}:\n",
                        shape_text(static_cast<Index>(table.n_rows()), std::ssize(columns)));
    for (const std::string& column : columns) text += fmt::format("  {}\n", column);
    return text;
}

std::string matrices_preview(const ExportWork& work) {
    if (work.files.empty()) return {};
    const std::vector<Tensor>& tensors = work.files.front().tensors;
    std::string text = work.note.empty() ? "" : work.note + "\n";
    for (const ExportWork::File& file : work.files)
        for (const Tensor& tensor : file.tensors)
            if (text.size() < kPreviewLetters)
                text += fmt::format("{}   {}\n", tensor.path(),
                                    shape_text(tensor.rows().size, tensor.columns().size));
    const Exporter& exporter = *work.exporter;
    if (exporter.kind != ExportKind::Matrix || !exporter.is_text) return text;
    if (!tensors.front().value || tensors.front().value->size() > kMostPreviewed) return text;
    return fmt::format("{}\n{}", text, bytes_of(work, work.files.front(), {}));
}

/// Describes the contents of the file, and shows its text where it is one.
std::string numbers_preview(const ExportWork& work) {
    return (work.table ? table_preview(work) : matrices_preview(work)).substr(0, kPreviewLetters);
}

constexpr const char* kExportTitle = "Export";
constexpr float kDialogWidth = 980, kDialogHeight = 640, kDialogForm = 350;

Offers<ViewId> offered_views(const std::vector<ViewEntry>& views) {
    Offers<ViewId> offers;
    for (const ViewEntry& view : views) offers.emplace_back(view.title, view.id);
    return offers;
}

/// Returns the tables of views, and the matrices.
Offers<ViewId> offered_numbers(const Scene& scene) {
    std::vector<ViewEntry> views = list_views(scene);
    std::erase_if(
        views, [](const ViewEntry& named) { return named.id != ViewId::Matrix && !named.table; });
    return offered_views(views);
}

Offers<float> offered_dpis() {
    Offers<float> offers;
    for (const float dpi : {72.0f, 96.0f, 144.0f, 200.0f, 300.0f, 600.0f, 1200.0f})
        offers.emplace_back(format_count(static_cast<Index>(dpi)), dpi);
    return offers;
}

/// Returns the moving pictures: the walk through the part, and the number that is animated.
Offers<std::string> offered_motions(const std::string& animated) {
    Offers<std::string> offers{{"none", ""}, {"steps of the part", "walk"}};
    if (!animated.empty()) offers.emplace_back("animated number", animated);
    return offers;
}

/// A length that is typed: its text, and what is read from it.
struct TypedLength {
    std::string& text;
    std::optional<FigureLength>& length;
    std::optional<FigureLength> (*read)(std::string_view);
};

/// Makes a field with a hint while it is empty, and an advice below it while it cannot be read.
ExportField length_field(widgets::SettingName name, TypedLength typed, const char* hint,
                         const char* advice) {
    return {.name = name,
            .draw = text_of(typed.text, hint),
            .changed = [typed] { typed.length = typed.read(typed.text); },
            .note = [=] { return typed.text.empty() || typed.length ? "" : advice; }};
}

/// Makes the field for the colour map of the matrices that the figure shows, where it is free.
ExportField colors_field(PanelContext& context, const ExportChoice& choice) {
    const auto tensor = [&] {
        constexpr std::array kColored{ViewId::Matrix, ViewId::Compared, ViewId::Panels};
        const bool is_colored = std::ranges::find(kColored, choice.view) != kColored.end();
        return is_colored ? leading_matrix(context.scene, choice.view) : nullptr;
    };
    return {.name = {"Colours", kColorMapHelp},
            .draw =
                [tensor](PanelContext& drawn, const char* name) {
                    const Tensor& colored = *tensor();
                    return color_map_field(drawn, name, colored,
                                           drawn.selection.scales.of(colored.quantity()).colors);
                },
            .is_there = [tensor] { return tensor() && has_free_colors(tensor()->quantity()); }};
}

/// Replaces the names of options of the command by those of the fields here.
std::string in_words_of_dialog(std::string note) {
    constexpr std::pair<std::string_view, std::string_view> kFields[] = {
        {"--type", "Type"}, {"--width", "Width"}, {"--size", "Size"}};
    for (const auto& [option, field] : kFields)
        if (const std::size_t at = note.find(option); at != std::string::npos)
            note.replace(at, option.size(), field);
    return note;
}

}  // namespace

void ExportDialog::open(ExportChoice& choice, const std::filesystem::path& wanted) {
    choice.file = frame_.propose(wanted);
    frame_.open();
}

void ExportDialog::open_with(ExportChoice& choice, const std::filesystem::path& chosen) {
    frame_.take(chosen);
    choice.file = chosen;
}

namespace {

/// Returns what can be copied in place of writing the file.
std::optional<ExportParts::Copy> copy_button(const ExportChoice& choice) {
    if (choice.is_picture())
        return ExportParts::Copy{"Copy picture", "As a PNG, into the clipboard"};
    if (!exporter_for(choice.file).is_text) return std::nullopt;
    return ExportParts::Copy{"Copy numbers", "What the file would hold, into the clipboard"};
}

}  // namespace

ExportDialog::Answer ExportDialog::draw(PanelContext& context, const Scene& scene,
                                        ExportChoice& choice, const ExportState& state) {
    if (frame_.will_open()) {
        width_text_ = choice.look.width ? length_text(*choice.look.width) : "";
        type_text_ = choice.look.type ? length_text(*choice.look.type) : "";
    }
    return frame_.draw(
        context,
        {.title = kExportTitle,
         .size = {kDialogWidth, kDialogHeight},
         .form = kDialogForm,
         .progress = state.progress,
         .draw_form = [&] { draw_form(context, scene, state, choice); },
         .draw_preview =
             [&](Point room) {
                 update_preview(scene, choice);
                 draw_preview(context, choice, room);
             },
         .note = [&] { return preview_.problem.empty() ? preview_.view.note : preview_.problem; },
         .can_export = [&] { return are_lengths_read(choice); },
         .take_name =
             [&](const std::string& name) {
                 static_cast<void>(exporter_for(name));
                 choice.file = name;
                 return state.progress ? std::nullopt : overwritten_file(scene, choice);
             },
         .copy = [&] { return copy_button(choice); }});
}

void ExportDialog::draw_form(PanelContext& context, const Scene& scene, const ExportState& state,
                             ExportChoice& choice) {
    const auto is_picture = [&] { return choice.is_picture(); };
    const auto are_numbers = [&] { return !choice.is_picture(); };
    std::string format = exporter_for(choice.file).extension;
    ViewId numbers = numbers_view(scene, choice.view);
    if (choice.film.is_on() && !choice.film.is_walk()) choice.film.motion = state.animated;
    draw_export_fields(
        context,
        std::array<ExportField, 4>{
            {{.name = "Format",
              .draw = choice_of(format, offered_formats(exporters())),
              .changed = [&] { choice.file = frame_.with_ending(choice.file, format); },
              .note = [&] { return note_about_format(format); }},
             {.name = "What",
              .draw = choice_of(numbers, offered_numbers(scene)),
              .is_there = are_numbers,
              .changed = [&] { choice.view = numbers; }},
             {.name = "Matrices",
              .draw = text_of(matrices_text_, "the chosen one", "text"),
              .is_there = [&] { return are_numbers() && numbers == ViewId::Matrix; },
              .changed =
                  [&] {
                      choice.matrices.clear();
                      if (!matrices_text_.empty()) choice.matrices = {matrices_text_};
                  },
              .note =
                  [] {
                      return "A path, in which * stands for any text: *.pattern. For several "
                             "matrices, formats that hold only one need {path} in the file's name.";
                  }},
             {.name = "What",
              .draw = choice_of(choice.view, offered_views(list_views(scene))),
              .is_there = is_picture,
              .changed = [&] {  // the window is pixels, whatever the last figure was
                  if (choice.view == ViewId::Window)
                      choice.file = frame_.with_ending(choice.file, ".png");
              }}}});
    if (!choice.is_picture()) return;
    if (choice.view == ViewId::Window)
        choice.film = {};
    else
        draw_look(context, state, choice);
    const ExportField caption{{"Caption",
                               "A text file beside the figure, with the study and the command that "
                               "makes the figure again."},
                              choice_of(choice.has_caption, {{"no", false}, {"yes", true}})};
    draw_export_fields(context, {&caption, 1});
}

/// Draws the fields of a figure that is not the window itself.
void ExportDialog::draw_look(PanelContext& context, const ExportState& state,
                             ExportChoice& choice) {
    FigureLook& look = choice.look;
    using Selected = FigureLook::Selected;
    draw_export_fields(
        context,
        std::array<ExportField, 9>{
            {{.name = {"Motion",
                       "PNG and GIF can move; with {frame} in the file's name each frame is a "
                       "file. A number is animated with a right-click on it."},
              .draw = choice_of(choice.film.motion, offered_motions(state.animated)),
              .changed =
                  [&] {
                      if (choice.film.is_walk()) choice.view = ViewId::Step;
                  }},
             length_field({"Width", "85mm, 3.25in, 1200px or 240pt; empty: as wide as it needs"},
                          {width_text_, look.width, width_from}, "as it is",
                          "Write 85mm, 3.25in, 1200px or 240pt."),
             length_field({"Type",
                           "Size of labels at that width: 7pt, 2.5mm or 14px; empty: 8pt, or down "
                           "to 5pt if only then all labels fit"},
                          {type_text_, look.type, type_from},
                          look.width ? "8pt or less" : "as it is", "Write 7pt, 2.5mm or 14px."),
             {{"Dpi", "Pixels per inch of a PNG"}, choice_of(look.dpi, offered_dpis())},
             {"Theme", choice_of(look.theme, with_words<ThemeName>({}, kThemeWords))},
             {"Background",
              choice_of(look.background, with_words<FigureLook::Background>({}, kBackgroundWords))},
             {{"Title", "Titles and formulas; names: short titles alone"},
              choice_of(look.heading, with_words<FigureLook::Heading>({}, kHeadingWords))},
             {{"Selection", "Marks on held cells and words"},
              choice_of(look.selected, {{"no", Selected::Hidden}, {"yes", Selected::Shown}})},
             colors_field(context, choice)}});
}

bool ExportDialog::are_lengths_read(const ExportChoice& choice) const {
    const bool is_read =
        (width_text_.empty() || choice.look.width) && (type_text_.empty() || choice.look.type);
    return is_read || !choice.is_picture();
}

void ExportDialog::update_preview(const Scene& scene, const ExportChoice& choice) {
    std::string of = fmt::format("{} {} {}", choice.file.extension().string(), matrices_text_,
                                 scene.selection.chosen);
    for (const std::string& word : export_arguments(scene, choice)) of += " " + word;
    const Scalar* swept = scene.sweep ? scene.sweep->result.change.data() : nullptr;
    if (of == preview_.of && scene.kept == preview_.trace && swept == preview_.swept) return;
    preview_ = {scene.kept, swept, of, {}, {}, "", ""};
    try {
        const ExportWork work = make_work(scene, choice);
        preview_.view.figure = work.figure;
        preview_.view.look = work.look;
        preview_.view.note = in_words_of_dialog(work.note);
        preview_.sheet = work.sheet;
        if (!choice.is_picture()) preview_.text = numbers_preview(work);
    } catch (const Error& error) {
        preview_.problem = error.what();
    }
}

void ExportDialog::draw_preview(PanelContext& context, const ExportChoice& choice, Point size) {
    if (!choice.is_picture()) {
        context.painter.push_font(Font::Mono, 11);
        ImGui::TextUnformatted(widgets::as_read(preview_.text).c_str());
        context.painter.pop_font();
    } else if (choice.view == ViewId::Window) {
        widgets::hint(context, "The window as it is, without this dialog.");
    } else if (preview_.view.figure.width > 0) {
        draw_export_preview(context, preview_.view, preview_.sheet, size);
    }
}

namespace {

constexpr const char* kCopied = "The picture is in the clipboard.";
constexpr int kFramesToPhoto = 4;  // the dialog goes, and what was under the pointer goes back

/// Names a file after the view that is exported, or the picture in the middle of the window.
std::string name_of_view(const Scene& scene, ViewId view) {
    const bool is_analysis = view_of(view).table && view != ViewId::Heads;
    for (const ViewEntry& named : all_views())
        if (is_analysis && named.id == view) return named.word;
    if (scene.selection.view != ViewId::Matrix) return view_of(scene.selection.view).word;
    return scene.selection.chosen.empty() ? "picture" : scene.selection.chosen;
}

/// Returns "blocks-0-attn-heads-0-pattern.png" beside the study, with the last format.
std::filesystem::path suggested_file(std::string name, const std::filesystem::path& study,
                                     const ExportChoice& last) {
    std::ranges::replace(name, '.', '-');
    const std::filesystem::path& folder =
        last.file.empty() ? study.parent_path() : last.file.parent_path();
    return folder / (name + (last.file.empty() ? ".png" : last.file.extension().string()));
}

std::string table_text(const Table& table, NumbersFormat format) {
    switch (format) {
        case NumbersFormat::Tsv:
            return write_tsv(table, ReadBy::Spreadsheet);
        case NumbersFormat::Latex:
            return write_latex_table(table);
        case NumbersFormat::Markdown:
            return write_markdown_table(table);
        case NumbersFormat::NumPy:
            break;
    }
    return write_numbers(numbers_of(table), format);
}

}  // namespace

void FigureExporter::open(const Scene& scene, const std::filesystem::path& study,
                          std::optional<ViewId> view) {
    const ViewId shown = view.value_or(exported_view(scene));
    check_is_shown(scene, shown);
    choice_.study = study;
    choice_.view = shown;
    if (exported_to_.empty()) choice_.look.theme = theme_name(scene.theme);
    const std::string name = name_of_view(scene, shown);
    const bool is_new = choice_.file.empty() || named_after_ != name;
    named_after_ = name;
    dialog_.open(choice_, is_new ? suggested_file(name, study, choice_) : choice_.file);
}

void FigureExporter::repeat(const Scene& scene, const std::filesystem::path& study) {
    if (exported_to_.empty()) return open(scene, study);
    choice_.study = study;
    choice_.file = exported_to_;
    ask();
}

void FigureExporter::copy_picture(const Scene& scene) {
    ExportChoice choice = choice_;
    if (!dialog_.is_open()) choice.view = exported_view(scene);
    choice.file = "picture.png";
    job_.start_copy(dialog_.frame(), kCopied,
                    [work = make_work(scene, choice)](Progress& progress) {
                        return write_png(work.figure, work.sheet, {progress, 1});
                    });
}

std::string FigureExporter::copy_table(const Scene& scene, ViewId view, NumbersFormat format) {
    const ViewTable made = view_table(scene, view);
    ImGui::SetClipboardText(table_text(made.table, format).c_str());
    const ViewEntry& named = view_of(view);
    return fmt::format("The numbers of “{}” are in the clipboard: {} {}.{}", named.title,
                       format_count(static_cast<Index>(made.table.n_rows())),
                       made.table.n_rows() == 1 ? "row" : "rows",
                       made.note.empty() ? "" : " " + made.note);
}

/// Copies the numbers in the format of the file.
void FigureExporter::copy_numbers(const Scene& scene) {
    const ExportWork work = make_work(scene, choice_);
    if (work.files.size() > 1)
        throw Error("export", "only one file can be copied, and these are several");
    ImGui::SetClipboardText(bytes_of(work, work.files.front(), {}).c_str());
    // The message comes as that of any other export does.
    job_.start(dialog_.frame(), [note = work.note](Progress&) {
        return "The numbers are in the clipboard." +
               (note.empty() ? std::string() : fmt::format(" Note: {}.", note));
    });
}

void FigureExporter::take_file(const std::filesystem::path& file) {
    dialog_.open_with(choice_, file);
}

std::vector<std::string> FigureExporter::watch(const Scene& scene) {
    is_watched_ = is_asked_;
    if (!dialog_.is_open() && !is_asked_) return {};
    return watched_for(scene, choice_);
}

bool FigureExporter::draw(PanelContext& context, const Scene& scene, const std::string& animated) {
    const ExportDialog::Answer answer =
        dialog_.draw(context, scene, choice_, {animated, job_.progress()});
    if (answer == ExportDialog::Answer::Export) ask();
    if (answer == ExportDialog::Answer::Stop) {
        cancel();
        job_.cancel();
    }
    if (answer == ExportDialog::Answer::Copy) ask_for_copy(scene);
    return answer == ExportDialog::Answer::Browse;
}

/// Asks for the export. A picture of the window is taken only after the dialog has closed.
void FigureExporter::ask() {
    const bool is_window = choice_.view == ViewId::Window && choice_.is_picture();
    if (!is_window) return void(is_asked_ = true);
    photograph(Photo::Export);
}

void FigureExporter::ask_for_copy(const Scene& scene) {
    const bool is_picture = choice_.is_picture();
    if (choice_.view == ViewId::Window && is_picture) return photograph(Photo::Copy);
    try {
        is_picture ? copy_picture(scene) : copy_numbers(scene);
    } catch (const Error& error) {
        dialog_.show_problem(error.what());
    }
}

void FigureExporter::photograph(Photo photo) {
    photo_ = photo;
    photo_frames_ = 0;
    dialog_.close();
}

bool FigureExporter::is_picture_due() {
    return is_photographing() && ++photo_frames_ == kFramesToPhoto;
}

void FigureExporter::take_picture(WindowPixels window) {
    is_asked_ = photo_ == Photo::Export;
    photo_ = Photo::None;
    window_ = std::move(window);
}

void FigureExporter::start(const Scene& scene) {
    is_asked_ = false;
    choice_.film.sentence = scene.selection.sentence;
    try {
        job_.start(
            dialog_.frame(),
            [work = make_work(scene, choice_, std::exchange(window_, std::nullopt))](
                Progress& progress) { return do_work(work, progress).text; },
            [this, file = choice_.file] { exported_to_ = file; });
    } catch (const Error& error) {
        if (!dialog_.is_open()) throw;
        dialog_.show_problem(error.what());
    }
}

void FigureExporter::advance(const Scene& scene) {
    if (window_ && !is_asked_)
        job_.start_copy(dialog_.frame(), kCopied,
                        [window = *std::exchange(window_, std::nullopt)](Progress& progress) {
                            return write_pixels(window.pixels, {.steps = {progress, 1}});
                        });
    if (is_asked_ && is_watched_ && !job_.is_running()) start(scene);
}

}  // namespace headlight
