#include "views/export/film_figures.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/batch.h"
#include "core/error.h"
#include "core/numeric/read_digits.h"
#include "io/exporters.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/film.h"
#include "io/pictures/png_image.h"
#include "io/text/json_text.h"
#include "model/changes.h"
#include "model/motion.h"
#include "model/settings/setting_text.h"
#include "text/strings.h"
#include "views/walk.h"

namespace headlight {
namespace {

constexpr std::string_view kFrame = "{frame}";

/// A number of the study, and the two values between which it moves.
struct FilmSweep {
    std::string path;
    std::optional<CellIndex> cell;  // of the matrix of that path; absent: a setting
    double from = 0, to = 1;
};

template <typename Number>
bool read_number(std::string_view text, Number& number) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    const char* end = text.data() + text.size();
    const auto [rest, failure] = read_digits(text.data(), end, number);
    return failure == std::errc() && rest == end;
}

/// Takes "path[3,2]" apart.
bool read_varied_place(std::string_view text, FilmSweep& sweep) {
    const std::size_t open = text.find('[');
    sweep.path = text.substr(0, open);
    if (open == std::string_view::npos) return !text.empty();
    const std::size_t comma = text.find(',', open);
    if (comma == std::string_view::npos || !text.ends_with(']')) return false;
    CellIndex cell;
    if (!read_number(text.substr(open + 1, comma - open - 1), cell.row)) return false;
    if (!read_number(text.substr(comma + 1, text.size() - comma - 2), cell.column)) return false;
    sweep.cell = cell;
    return cell.row >= 0 && cell.column >= 0;
}

FilmSweep sweep_from(const std::string& motion) {
    FilmSweep sweep;
    const std::string_view text = motion;
    const std::size_t equals = text.rfind('='), colon = text.rfind(':');
    const bool is_sweep = equals != std::string::npos && colon != std::string::npos &&
                          colon > equals && read_varied_place(text.substr(0, equals), sweep) &&
                          read_number(text.substr(equals + 1, colon - equals - 1), sweep.from) &&
                          read_number(text.substr(colon + 1), sweep.to);
    if (!is_sweep)
        throw Error("--motion",
                    "{} is neither walk nor the range of a number, such as "
                    "layer.attention.temperature=0.2:4",
                    in_quotes(motion));
    return sweep;
}

/// The cell must be one of the sentence's; a setting's numbers must be in its range.
void check(const FilmSweep& sweep, const Document& document, const Trace& trace) {
    if (sweep.cell) {
        const Tensor& tensor = trace.at(sweep.path);
        const Index n_rows = tensor.rows().size, n_columns = tensor.columns().size;
        if (sweep.cell->row < n_rows && sweep.cell->column < n_columns) return;
        throw Error("--motion", "{} has no cell [{}, {}]; it is {}", sweep.path, sweep.cell->row,
                    sweep.cell->column, shape_text(n_rows, n_columns));
    }
    const auto setting = find_number_setting(document, sweep.path);
    for (const double end : {sweep.from, sweep.to})
        if (setting && !(end >= setting->low && end <= setting->high))
            throw Error("--motion", "{} cannot be {}; it can be {} to {}", sweep.path,
                        number_text(static_cast<float>(end)),
                        number_text(static_cast<float>(setting->low)),
                        number_text(static_cast<float>(setting->high)));
}

/// Draws the frames of a film, one trace after the other.
class Camera {
  public:
    Camera(const Scene& scene, const ExportChoice& choice, const ForEach& for_each,
           Progress& progress)
        : scene_(scene),
          choice_(choice),
          for_each_(for_each),
          progress_(progress),
          measure_(pango_measure()) {}

    void walk() {
        look_at(scene_.document);
        const std::size_t n = make_walk(trace_, components_, selection_).steps.size();
        progress_.begin(static_cast<double>(n));
        for (std::size_t step = 0; step < n; ++step) {
            go_to_step(trace_, components_, selection_, step);
            shoot(ViewId::Step);
        }
    }

    /// Films the way there and back; the first and the last frame stand once.
    void sweep() {
        FilmSweep way = sweep_from(choice_.film.motion);
        look_at(scene_.document);
        check(way, scene_.document, trace_);
        // The row is counted in the sentence; the document counts the rows of all sentences.
        if (way.cell) way.cell->row += trace_.at(way.path).first_row();
        const int n = std::max(2, choice_.film.n_frames);
        progress_.begin(n);
        for (int i = 0; i < n; ++i) {
            const double share = static_cast<double>(i) / (n - 1);
            Document document = scene_.document;
            const double value =
                number_at(way.from, way.to, share, spacing_between(way.from, way.to));
            if (way.cell)
                set_cell(document, way.path, way.cell->row, way.cell->column,
                         static_cast<Scalar>(value));
            else
                set_number_setting(document, way.path, value);
            look_at(document);
            shoot(choice_.view);
        }
        for (int i = n - 2; i > 0; --i)
            film_.figures.push_back(film_.figures[static_cast<std::size_t>(i)]);
    }

    FilmFigures take() {
        Point size;
        for (const Figure& figure : film_.figures)
            size = {std::max(size.x, figure.width), std::max(size.y, figure.height)};
        for (Figure& figure : film_.figures) {
            figure.width = size.x;
            figure.height = size.y;
        }
        return std::move(film_);
    }

  private:
    void look_at(const Document& document) {
        whole_ = evaluate(document, whole_ ? &*whole_ : nullptr, {}, for_each_);
        trace_ =
            choice_.film.sentence ? trace_of_sentence(*whole_, *choice_.film.sentence) : *whole_;
        document_ = document;
        components_ = make_components(trace_);
        selection_ = scene_.selection;
        selection_.fit(trace_, components_);
    }

    void shoot(ViewId view) {
        progress_.enter(fmt::format("frame {}", film_.figures.size() + 1));
        const Scene scene{document_, trace_, components_, selection_,
                          theme_named(choice_.look.theme)};
        ViewFigure drawn =
            view_figure(scene, view, film_.figures.empty() ? choice_.look : film_.look, measure_);
        if (film_.figures.empty()) {
            film_.look = drawn.look;
            film_.note = drawn.note;
        }
        film_.figures.push_back(std::move(drawn.figure));
        film_.background = drawn.background;
        progress_.advance(1);
    }

    const Scene& scene_;
    const ExportChoice& choice_;
    const ForEach& for_each_;
    Progress& progress_;
    MeasureText measure_;
    std::optional<Trace> whole_;
    Document document_;
    Trace trace_;
    Components components_;
    Selection selection_;
    FilmFigures film_;
};

std::string frame_name(const std::string& pattern, std::size_t frame, std::size_t n_frames) {
    const std::string number = fmt::format("{:0{}}", frame, std::to_string(n_frames).size());
    std::string name = pattern;
    for (std::size_t at = 0; (at = name.find(kFrame, at)) != std::string::npos;)
        name.replace(at, kFrame.size(), number);
    return name;
}

}  // namespace

FilmFigures film_figures(const Scene& scene, const ExportChoice& choice, const ForEach& for_each,
                         Progress& progress) {
    Camera camera(scene, choice, for_each, progress);
    choice.film.is_walk() ? camera.walk() : camera.sweep();
    return camera.take();
}

void check_is_film(const std::string& file) {
    const bool is_numbered = file.find(kFrame) != std::string::npos;
    const bool is_film = file.ends_with(".png") || file.ends_with(".gif");
    if (exporter_for(file).kind != ExportKind::Picture || !(is_numbered || is_film))
        throw Error(file,
                    "a film is .png or .gif; with {frame} in the name each frame is a picture");
}

std::vector<FilmFile> film_files(const Scene& scene, const ExportChoice& choice,
                                 const ForEach& for_each, Progress& progress) {
    const std::string file = choice.file.string();
    check_is_film(file);
    const Exporter& exporter = exporter_for(choice.file);
    const bool is_numbered = file.find(kFrame) != std::string::npos;
    const FilmFigures film = film_figures(scene, choice, for_each, progress);
    const FigureSheet sheet = sheet_for(film.figures.front(), film.look, film.background);
    const std::size_t n = film.figures.size();
    std::vector<FilmFile> files;
    for (std::size_t i = 0; is_numbered && i < n; ++i)
        files.push_back({frame_name(file, i + 1, n),
                         export_bytes(exporter, {Trace{}, {}, film.figures[i], sheet})});
    if (is_numbered) {
        files.front().note = film.note;
        return files;
    }
    const Film frames{n, choice.film.secs(), [&](std::size_t i) {
                          progress.enter(fmt::format("frame {}", i + 1));
                          return rasterize(film.figures[i], sheet);
                      }};
    return {{file, file.ends_with(".png") ? write_apng(frames, sheet.dpi) : write_gif(frames),
             film.note}};
}

}  // namespace headlight
