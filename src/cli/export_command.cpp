// headlight export: figures and numbers of a study as files.
#include <algorithm>
#include <array>
#include <optional>

#include "cli/commands.h"
#include "cli/export_views.h"
#include "cli/export_window.h"
#include "cli/open_study.h"
#include "cli/output/progress_line.h"
#include "cli/watch_file.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/files/output_names.h"
#include "scene/export/export_work.h"
#include "scene/export/film_figures.h"
#include "scene/options/item_names.h"
#include "scene/tables/view_table.h"

namespace headlight {
namespace {

/// "--what heads, next, lens …", the views that have numbers of their own.
std::string words_of_tables() {
    std::string words;
    for (const NamedFigure& named : named_views())
        if (has_table(named.view))
            words += (words.empty() ? "--what " : ", ") + std::string(named.word);
    return words;
}

/// One call of the command: every file of it.
class Export {
  public:
    Export(const ExportStudy& options, Document document, const Streams& streams)
        : options_(options),
          streams_(streams),
          is_picture_(exporter_for(options.output).kind == ExportKind::Picture),
          choice_(make_choice(options)),
          space_(std::move(document), {}) {
        look_at(space_, options, streams);
    }

    /// Throws Error if the study does not have all that is to be shown.
    void check() {
        for (const Tensor* tensor : chosen_tensors()) choose(space_, *tensor, options_, streams_);
    }

    void write() {
        if (choice_.film.is_walk()) check_is_film(options_.output);
        note_idle();
        note_no_difference();
        const std::vector<const Tensor*> tensors = chosen_tensors();
        if (!is_picture_ && has_table(choice_.view) && !tensors.empty())
            return write_one(options_.output, *tensors.front());
        if (tensors.empty())
            return write_one(options_.output, space_.page->at(space_.selection.chosen));
        if (choice_.view == FigureOf::Panels) return write_one(options_.output, *tensors.front());
        if (!is_picture_) return write_work();
        const std::vector<std::string> names = output_names(options_.output, tensors);
        for (std::size_t i = 0; i < names.size(); ++i) write_one(names[i], *tensors[i]);
    }

  private:
    /// What numbers have no use for. A table is of what is asked for, held and compared.
    void note_idle() const {
        static constexpr std::array kOfTables{"--word", "--minus", "--row",   "--column",
                                              "--held", "--with",  "--names", "--sides"};
        const auto is_idle = [&](const std::string& name) {
            const bool is_of_table =
                has_table(choice_.view) && std::ranges::count(kOfTables, name) > 0;
            return !is_picture_ && !is_of_table &&
                   std::ranges::count(options_.of_pictures, name) > 0;
        };
        std::string idle;
        for (const std::string& name : options_.given)
            if (is_idle(name)) idle += (idle.empty() ? "" : ", ") + name;
        if (!idle.empty())
            write_note(streams_, idle + ": without effect, only pictures are changed by it");
    }

    /// Colours of A − B, where no A − B is drawn.
    void note_no_difference() const {
        static constexpr std::array kOfColors{"--colors", "--steps", "--range", "--far-out",
                                              "--numbers"};
        using Of = PictureChange::Of;
        const ShownOptions& shown = options_.shown;
        const bool is_drawn = shown.with && shown.sides != Comparison::Show::Both;
        if (!is_picture_ || is_drawn ||
            std::ranges::count(shown.pictures, Of::Difference, &PictureChange::of) == 0)
            return;
        for (const char* name : kOfColors)
            if (std::ranges::count(options_.given, name) > 0)
                return write_note(streams_,
                                  std::string("what is said of 'difference:' is without effect, ") +
                                      (shown.with ? "--sides both draws no A − B"
                                                  : "without --with there is no A − B"));
    }

    static ExportChoice make_choice(const ExportStudy& options) {
        ExportChoice choice = options.choice;
        choice.view = chosen_view(options);
        if (choice.matrices.empty() && choice.view == FigureOf::Matrix) choice.matrices = {"*"};
        choice.file = options.output;
        choice.study = options.study;
        choice.other = options.shown.with.value_or("");
        choice.caption_paths = ExportChoice::CaptionPaths::AsTheyAre;
        if (options.sentence) choice.film.sentence = *options.sentence - 1;
        return choice;
    }

    /// The tensors that are asked for. If none is, all, for formats of numbers and of matrices.
    std::vector<const Tensor*> chosen_tensors() const {
        std::vector<const Tensor*> tensors;
        if (options_.what && !is_picture_ && !has_table(choice_.view))
            throw Error("--what", std::string("this view is a picture; ") +
                                      exporter_for(options_.output).extension +
                                      " is a format of numbers: use --tensor, or " +
                                      words_of_tables());
        const std::vector<std::string>& named = options_.choice.matrices;
        const bool are_panels = choice_.view == FigureOf::Panels;
        const auto& globs = are_panels && named.empty() ? options_.shown.panels : named;
        if (choice_.matrices.empty() && globs.empty()) return tensors;
        for (const TensorId id : tensors_matching(*space_.page, globs))
            tensors.push_back(&(*space_.page)[id]);
        return tensors;
    }

    void write_one(const std::string& file, const Tensor& tensor) {
        if (choice_.view == FigureOf::Heads && !choice_.matrices.empty() &&
            tensor.identity().head < 0)
            write_note(streams_, "--tensor " + tensor.path() +
                                     ": without effect, it is of no head; the view shows all");
        choose(space_, tensor, options_, streams_);
        choice_.file = file;
        write_work();
    }

    void write_work() {
        const ExportWork work =
            make_work(make_scene(space_, theme_named(choice_.look.theme)), choice_);
        ProgressLine line(choice_.film.is_on() ? streams_.terminal : nullptr);
        const ExportDone done = do_work(work, line.progress());
        if (!done.note.empty()) write_note(streams_, choice_.file.string() + ": " + done.note);
    }

    const ExportStudy& options_;
    const Streams& streams_;
    bool is_picture_;
    ExportChoice choice_;
    Workspace space_;
};

/// False if no view was saved with the study, or another one is asked for. Where the study has not
/// what it shows, a note says so.
bool export_kept_view(const ExportStudy& options, const OpenedFile& opened,
                      const Streams& streams) {
    if (opened.view.empty() || !shows_kept_view(options)) return false;
    std::optional<ExportStudy> seen;
    std::optional<Export> kept;
    try {
        seen = with_kept_view(options, opened.view);
        kept.emplace(*seen, opened.document, streams);
        kept->check();
    } catch (const Error& error) {
        write_note(streams, std::string("the view that was saved with the study is not shown: ") +
                                error.what());
        return false;
    }
    kept->write();
    return true;
}

void export_once(const ExportStudy& options, const Streams& streams) {
    if (options.what && chosen_view(options) == FigureOf::Window)
        return export_window(options, streams);
    OpenedFile opened = open_study_and_view(options.study, streams);
    if (export_kept_view(options, opened, streams)) return;
    ExportStudy shown = with_named_panels(options);
    shown.sentence = take_recorded_text(opened.document, options.sentence);
    Export(shown, opened.document, streams).write();
}

}  // namespace

void export_study(const ExportStudy& options, const Streams& streams) {
    const Exporter& exporter = exporter_for(options.output);
    if (options.choice.has_caption && exporter.kind != ExportKind::Picture)
        throw Error("--caption", std::string("is of pictures; ") + exporter.extension +
                                     " is a format of numbers, and none is written beside it");
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
