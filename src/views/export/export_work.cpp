#include "views/export/export_work.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/analyses/composition.h"
#include "core/analyses/difference.h"
#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/png_image.h"
#include "io/studies/study.h"
#include "model/workers.h"
#include "views/export/export_arguments.h"
#include "views/export/figure_caption.h"
#include "views/export/film_figures.h"
#include "views/export/look_names.h"
#include "views/listed_heads.h"
#include "views/panels_view.h"
#include "views/view_table.h"

namespace headlight {
namespace {

bool is_of_difference(const Scene& scene, const ExportChoice& choice) {
    const Comparison* comparison = scene.comparison;
    return choice.matrices.empty() && comparison && comparison->is_on() &&
           comparison->chosen.difference && comparison->show != Comparison::Show::Both;
}

std::vector<Tensor> chosen_tensors(const Scene& scene, const ExportChoice& choice) {
    if (is_of_difference(scene, choice)) return {named_difference(scene.comparison->chosen.tensor)};
    if (choice.matrices.empty()) return {scene.trace.at(scene.selection.chosen)};
    std::vector<Tensor> tensors;
    for (const Tensor& tensor : scene.trace.tensors())
        if (std::ranges::any_of(choice.matrices, [&](const std::string& glob) {
                return is_meant(glob, tensor.path());
            }))
            tensors.push_back(tensor);
    if (tensors.empty()) throw Error("export", "no matrix is called {}", choice.matrices.front());
    return tensors;
}

std::vector<ExportWork::File> files_of_numbers(const Scene& scene, const ExportChoice& choice,
                                               ExportKind kind) {
    const std::vector<Tensor> tensors = chosen_tensors(scene, choice);
    const std::string pattern = choice.file.string();
    std::vector<ExportWork::File> files;
    if (kind == ExportKind::Matrices && pattern.find('{') == std::string::npos) {
        files.push_back({choice.file, tensors});
        return files;
    }
    std::vector<const Tensor*> named;
    for (const Tensor& tensor : tensors) named.push_back(&tensor);
    const std::vector<std::string> names = output_names(pattern, named);
    for (std::size_t i = 0; i < names.size(); ++i) files.push_back({names[i], {tensors[i]}});
    return files;
}

std::string file_called(const std::filesystem::path& path) {
    return path_text(path.filename());
}

/// Checks that no output is a file that the study is read from.
void check_outputs(const ExportWork& work) {
    for (const ExportWork::File& file : work.files) check_is_no_input(file.path, work.inputs);
    if (!work.other_study.empty())
        check_is_no_input(other_study_file(work.choice.file), work.inputs);
}

std::filesystem::path caption_file(const std::filesystem::path& figure) {
    return figure.string() + ".txt";
}

void write_caption(const ExportWork& work, const std::filesystem::path& figure) {
    if (work.caption.empty()) return;
    write_file(caption_file(figure), work.caption);
    if (!work.other_study.empty()) write_file(other_study_file(figure), work.other_study);
}

/// Says which study the command in the caption needs beside that of the figure.
ExportDone exported(const ExportWork& work, std::string text, const std::string& note) {
    if (!work.other_study.empty())
        text += fmt::format("; the command in its caption also needs {}",
                            path_text(other_study_file(work.choice.file).filename()));
    return {std::move(text), note};
}

Pieces<ExportDone> write_film(const ExportWork& work, Progress& progress) {
    Workers workers(count_spare_threads());
    const std::filesystem::path& file = work.choice.file;
    const Components components = make_components(*work.trace);
    const Scene scene{work.document, *work.trace, components, work.selection,
                      theme_named(work.choice.look.theme)};
    const ForEach for_each = workers.for_each();
    const std::vector<FilmFile> files = co_await film_files(scene, work.choice, for_each, progress);
    progress.enter(file_called(file));  // nothing is written of what was cancelled
    for (const FilmFile& made : files) check_is_no_input(made.name, work.inputs);
    make_parent_folder(file);
    for (const FilmFile& made : files) write_file(made.name, made.bytes);
    write_caption(work, file);
    const std::string& note = files.front().note;
    if (files.size() == 1) co_return exported(work, "Exported to " + path_text(file), note);
    co_return exported(work, fmt::format("Exported {} frames to {}", files.size(), path_text(file)),
                       note);
}

void add_figure(ExportWork& work, const Scene& scene, const ExportChoice& choice) {
    if (choice.film.is_on() && choice.view == ViewId::Sweep)
        throw Error("export", "a sweep is a still picture: it does not follow a number");
    const ViewFigure view = view_figure(scene, choice.view, choice.look, pango_measure());
    work.sheet = sheet_for(view.figure, view.look, view.background);
    work.figure = view.figure;
    work.look = view.look;
    work.note = view.note;
    if (!choice.film.is_on()) return;
    work.document = scene.document;
    work.selection = scene.selection;
}

/// Gives words, nodes and patches the names that both sides have for them.
void name_difference(ExportWork& work, const Comparison& comparison, const Trace& trace_of_a) {
    const ComparedTensor& compared = comparison.chosen;
    work.trace = std::make_shared<const Trace>(
        named_by_both({trace_of_a, *compared.a}, {*comparison.trace, *compared.b}));
    work.note = fmt::format("the numbers are A − B: A is “{}”, B is “{}”", comparison.name_a,
                            comparison.name_b);
}

/// Adds the numbers of the view's table; if it has none, those of matrices.
void add_numbers(ExportWork& work, const Scene& scene) {
    const ExportChoice& choice = work.choice;
    const ViewId view = numbers_view(scene, choice.view);
    if (!view_of(view).table) {
        work.files = files_of_numbers(scene, choice, work.exporter->kind);
        if (is_of_difference(scene, choice)) name_difference(work, *scene.comparison, scene.trace);
        return;
    }
    ViewTable made = view_table(scene, view);
    work.files.push_back({choice.file, {}});
    work.table = std::move(made.table);
    work.note = std::move(made.note);
}

/// True if the command in the caption compares with a study that has no file of its own for it.
bool writes_other_study(const Scene& scene, const ExportChoice& choice) {
    const Comparison* comparison = scene.comparison;
    return choice.has_caption && choice.other.empty() && view_of(choice.view).shows_sides() &&
           comparison && comparison->other<OtherStudy>() && comparison->document;
}

void add_caption(ExportWork& work, const Scene& scene, const FigureLook& look) {
    if (work.choice.view == ViewId::Training) return;  // no command draws a run again
    ExportChoice shown = work.choice;
    shown.look = look;
    if (writes_other_study(scene, shown)) {
        Document other = *scene.comparison->document;
        other.weights = inside(other.weights);  // the whole study is one file
        work.other_study = write_study(other, {.folder = shown.file.parent_path()});
    }
    work.caption = figure_caption(scene, shown, work.note);
}

/// Returns all possible names of the first frame: it has as many digits as the film needs.
std::vector<std::filesystem::path> first_frames(const std::string& pattern) {
    constexpr std::string_view kFrame = "{frame}";
    const std::size_t at = pattern.find(kFrame);
    if (at == std::string::npos) return {pattern};
    std::vector<std::filesystem::path> files;
    for (const char* number : {"1", "01", "001", "0001"})
        files.emplace_back(std::string(pattern).replace(at, kFrame.size(), number));
    return files;
}

std::vector<std::filesystem::path> written_files(const Scene& scene, const ExportChoice& choice) {
    std::vector<std::filesystem::path> files;
    if (choice.is_picture()) {
        files = choice.film.is_on() ? first_frames(choice.file.string()) : std::vector{choice.file};
        if (choice.has_caption) files.emplace_back(caption_file(choice.file));
        if (writes_other_study(scene, choice)) files.push_back(other_study_file(choice.file));
        return files;
    }
    if (view_of(numbers_view(scene, choice.view)).table) return {choice.file};
    for (const ExportWork::File& file :
         files_of_numbers(scene, choice, exporter_for(choice.file).kind))
        files.push_back(file.path);
    return files;
}

}  // namespace

Tensor named_difference(const Tensor& difference) {
    PlannedTensor planned = difference.planned();
    planned.path += ".difference";
    Tensor tensor(std::make_shared<const PlannedTensor>(std::move(planned)));
    tensor.computed = difference.computed;
    tensor.value = difference.value;
    return tensor;
}

bool ExportChoice::is_picture() const {
    return exporter_for(file).kind == ExportKind::Picture;
}

std::vector<std::string> watched_for(const Scene& scene, const ExportChoice& choice) {
    if (!choice.matrices.empty()) return choice.matrices;
    const ViewEntry& view = view_of(choice.view);
    std::vector<std::string> globs;
    if (view.needs) globs = view.needs(scene);
    const bool is_compared = scene.comparison && scene.comparison->is_on();
    if (view.id == ViewId::Heads && is_compared && !choice.is_picture())
        globs.emplace_back("*.pattern");
    return globs;
}

std::optional<std::filesystem::path> overwritten_file(const Scene& scene,
                                                      const ExportChoice& choice) {
    std::vector<std::filesystem::path> files;
    try {
        files = written_files(scene, choice);
    } catch (const Error&) {  // nothing can be written
    }
    std::error_code ignored;
    for (const std::filesystem::path& file : files)
        if (std::filesystem::exists(file, ignored)) return file;
    return std::nullopt;
}

ExportWork make_work(const Scene& scene, const ExportChoice& choice,
                     const std::optional<WindowPixels>& window) {
    ExportWork work;
    work.choice = choice;
    work.exporter = &exporter_for(choice.file);
    work.trace = scene.kept ? scene.kept : std::make_shared<const Trace>(scene.trace);
    work.inputs = files_read_by(scene.document, choice.study);
    work.inputs.insert(work.inputs.end(), {choice.study, choice.other});
    if (work.exporter->kind != ExportKind::Picture) {
        work.choice.film = {};  // only pictures can be films
        add_numbers(work, scene);
        check_outputs(work);
        return work;
    }
    work.files.push_back({choice.file, {}});
    FigureLook look = choice.look;
    if (choice.view == ViewId::Window) {
        if (choice.file.extension() != ".png" || choice.film.is_on())
            throw Error("export", "the window is a still picture: write a .png");
        if (window) {
            // A point of the window is a point on paper, in the window's theme.
            const auto width_px = static_cast<float>(window->pixels.width);
            work.window = window->pixels;
            look = {};
            look.room = window->size;
            look.dpi = width_px / window->size.x * kPointsPerInch;
            look.theme = theme_name(scene.theme);
        }
        work.sheet.dpi = look.dpi;
    } else {
        add_figure(work, scene, choice);
    }
    if (choice.has_caption) add_caption(work, scene, look);
    check_outputs(work);
    return work;
}

std::string bytes_of(const ExportWork& work, const ExportWork::File& file, const Steps& steps) {
    if (work.window) return write_pixels(*work.window, {.dpi = work.sheet.dpi, .steps = steps});
    if (work.table) return export_bytes(*work.exporter, *work.table, steps);
    std::vector<const Tensor*> tensors;
    for (const Tensor& tensor : file.tensors) tensors.push_back(&tensor);
    return export_bytes(*work.exporter, {*work.trace, tensors, work.figure, work.sheet, steps});
}

Pieces<ExportDone> do_work(const ExportWork& work, Progress& progress) {
    if (work.choice.film.is_on()) co_return co_await write_film(work, progress);
    progress.begin(static_cast<double>(work.files.size()));
    for (const ExportWork::File& file : work.files) {
        progress.enter(file_called(file.path));
        const std::string bytes = bytes_of(work, file, {progress, 1});
        progress.enter(file_called(file.path));  // nothing is written of what was cancelled
        make_parent_folder(file.path);
        write_file(file.path, bytes);
        write_caption(work, file.path);
        co_await kPause;
    }
    if (work.files.size() == 1)
        co_return exported(work, "Exported to " + path_text(work.files.front().path), work.note);
    ExportDone done{fmt::format("Exported {} files, the last one to {}", work.files.size(),
                                path_text(work.files.back().path)),
                    work.note};
    co_return done;
}

}  // namespace headlight
