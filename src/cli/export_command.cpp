// headlight export: figures and numbers of a study as files.
#include "cli/commands.h"
#include "cli/export_views.h"
#include "cli/export_window.h"
#include "cli/open_study.h"
#include "cli/progress_line.h"
#include "cli/tensor_names.h"
#include "cli/watch_file.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/files/output_names.h"
#include "io/pictures/figure_text.h"
#include "model/workers.h"
#include "scene/export/figure_caption.h"

namespace headlight {
namespace {

/// One call of the command: every file of it.
class Export {
  public:
    Export(const ExportStudy& options, const Streams& streams)
        : options_(options),
          streams_(streams),
          exporter_(exporter_for(options.output)),
          view_(view_of(options)),
          document_(open_study(options.study, streams)),
          study_(look_at(document_, options, streams)) {}

    void write() {
        const std::vector<const Tensor*> tensors = chosen_tensors();
        if (exporter_.kind == ExportKind::Matrices &&
            options_.output.find('{') == std::string::npos)
            return write_numbers(options_.output, tensors);
        if (tensors.empty())
            return write_picture_of(options_.output, study_.page->at(study_.selection.chosen));
        const std::vector<std::string> names = output_names(options_.output, tensors);
        for (std::size_t i = 0; i < names.size(); ++i)
            exporter_.kind == ExportKind::Picture ? write_picture_of(names[i], *tensors[i])
                                                  : write_numbers(names[i], {tensors[i]});
    }

  private:
    /// Those that are asked for; of numbers and of matrices without a question all.
    std::vector<const Tensor*> chosen_tensors() const {
        std::vector<const Tensor*> tensors;
        const bool is_picture = exporter_.kind == ExportKind::Picture;
        if (options_.what && !is_picture)
            throw Error("--what", std::string("a view is a picture; ") + exporter_.extension +
                                      " holds numbers: take --tensor");
        if (options_.tensors.empty() && view_ != FigureOf::Matrix) return tensors;
        for (const TensorId id : tensors_matching(*study_.page, options_.tensors))
            tensors.push_back(&(*study_.page)[id]);
        return tensors;
    }

    void write_numbers(const std::string& file, const std::vector<const Tensor*>& tensors) {
        const Figure none;
        put(file, export_bytes(exporter_, {*study_.page, tensors, none}));
    }

    void write_picture_of(const std::string& file, const Tensor& tensor) {
        choose(study_, tensor, options_.shown, streams_);
        write_picture(file);
    }

    void write_picture(const std::string& file) {
        if (options_.film.is_on()) return write_film(file);
        const Theme& theme = theme_named(options_.look.theme);
        const Scene scene = study_.scene(theme);
        const ViewFigure view = view_figure(scene, view_, options_.look, pango_measure());
        const FigureSheet sheet = sheet_for(view.figure, view.look, view.ground);
        if (!view.note.empty()) write_note(streams_, file + ": " + view.note);
        put(file, export_bytes(exporter_, {*study_.page, {}, view.figure, sheet}));
        write_caption(file);
    }

    void write_film(const std::string& file) {
        const auto sentence =
            options_.sentence ? std::optional(*options_.sentence - 1) : std::nullopt;
        const Filmed filmed{study_.document, study_.selection, sentence,
                            view_,           options_.look,    options_.film};
        Workers workers(count_spare_threads());
        ProgressLine line(streams_.terminal);
        for (const FilmFile& made : film_files(filmed, file, workers.for_each(), line.progress())) {
            if (!made.note.empty()) write_note(streams_, file + ": " + made.note);
            put(made.name, made.bytes);
        }
        write_caption(file);
    }

    void write_caption(const std::string& file) {
        if (!options_.has_caption) return;
        const Scene scene = study_.scene(theme_named(options_.look.theme));
        write_file(file + ".txt",
                   figure_caption({scene, view_, options_.look, options_.shown.with.value_or("")},
                                  {options_.study, file, options_.film}));
    }

    void put(const std::string& file, const std::string& bytes) {
        std::vector<std::filesystem::path> inputs = files_read_by(document_, options_.study);
        inputs.insert(inputs.end(), {options_.study, options_.shown.with.value_or("")});
        check_is_no_input(file, inputs);
        make_folder_of(file);
        write_file(file, bytes);
    }

    const ExportStudy& options_;
    const Streams& streams_;
    const Exporter exporter_;
    FigureOf view_;
    Document document_;
    StudyScene study_;
};

void export_once(const ExportStudy& options, const Streams& streams) {
    if (options.what && view_of(options) == FigureOf::Window)
        return export_window(options, streams);
    Export(options, streams).write();
}

}  // namespace

void export_study(const ExportStudy& options, const Streams& streams) {
    if (!options.watches) return export_once(options, streams);
    bool is_first = true;
    const auto again = [&] {
        try {
            export_once(options, streams);
            streams.out << "Exported " << options.output << std::endl;
        } catch (const Error& error) {
            if (is_first) throw;  // later the study is being worked on
            streams.err << "headlight: " << error.what() << std::endl;
        }
        is_first = false;
    };
    watch_file(options.study, again);
}

}  // namespace headlight
