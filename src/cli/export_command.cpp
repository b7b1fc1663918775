#include "cli/export_command.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <poll.h>
#include <set>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "app/signal_watcher.h"
#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/output.h"
#include "cli/window_command.h"
#include "core/error.h"
#include "expression/item_names.h"
#include "io/arrays/weights_file.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/files/web_page.h"
#include "model/evaluate.h"
#include "text/strings.h"
#include "text/words.h"
#include "ui/window/workbench.h"
#include "views/export/export_work.h"
#include "views/export/film_figures.h"
#include "views/export/look_names.h"
#include "views/readout_view.h"
#include "views/saved_view.h"
#include "views/view_table.h"

namespace headlight {
namespace {

/// Returns "matrix|graph|…|window", the views of studies: a training is none.
std::string view_words() {
    std::string words;
    for (const ViewEntry& view : all_views())
        if (view.id != ViewId::Training) append_part(words, "|", view.word);
    return words;
}

bool is_view_word(const std::string& text) {
    return find_view(text) != nullptr;
}

bool is_given(const ExportStudy& options, std::string_view name) {
    return is_among(name, options.given);
}

/// "--row: only the first one is shown by the view row"
std::string text_of(const ViewNote& note) {
    return fmt::format("--{}: {}", note.word, note.text);
}

/// True if the program's page is written, with the study in it.
bool is_web_page(const ExportStudy& options) {
    return std::filesystem::path(options.output).extension() == ".html";
}

/// True for files that show views: pictures, and a page in which they are alive.
bool shows_views(const ExportStudy& options) {
    return is_web_page(options) || exporter_for(options.output).kind == ExportKind::Picture;
}

/// Returns the view that the options ask for. A walk shows steps; without a view it is a matrix.
/// Throws Error if there is no view of that name.
ViewId chosen_view(const ExportStudy& options) {
    if (options.choice.film.is_walk()) return ViewId::Step;
    if (!options.what && !options.state.panels.empty()) return ViewId::Panels;
    if (!options.what) return options.state.with.empty() ? ViewId::Matrix : ViewId::Compared;
    const ViewEntry* named = find_view(*options.what);
    if (!named) throw unknown_view("--what", *options.what);
    if (named->id == ViewId::Compared && options.state.with.empty())
        throw Error("--what", "give the other side of the comparison: --with");
    return named->id;
}

/// True if a picture of the view that was saved with the study is asked for: no option names
/// anything to look at.
bool shows_saved_view(const ExportStudy& options) {
    const ViewState& state = options.state;
    const bool says_what = options.what || !options.choice.matrices.empty() || options.sentence ||
                           options.choice.film.is_on() || !state.part.empty() ||
                           !state.held.empty() || !state.with.empty() || !state.heads.empty() ||
                           !state.panels.empty() || !state.rows.empty() || !state.columns.empty() ||
                           !state.zoom.is_whole();
    return !says_what && shows_views(options);
}

/// Returns the options with the words of the saved view; an option that was given takes the place
/// of its own. The words that are of that view count as given. Throws Error if a word is no option.
ExportStudy with_saved_view(const ExportStudy& options, const ViewWords& view) {
    ExportStudy seen = options;
    for (const ViewWord& word : view) {
        if (is_given(options, "--" + word.name)) continue;
        if (word.name == "what" && is_view_word(word.value))
            seen.what = word.value;
        else if (word.name == "tensor")
            seen.choice.matrices = {word.value};
        else if (word.name == "sentence")
            seen.sentence = sentence_from(word.value, kMaxWords) + 1;
        else
            take_view_word(seen.state, word);
    }
    for (const ViewWord& word : view)
        if (const ViewOption* option = find_view_option(word.name);
            option && why_not_of(option->views, chosen_view(seen)).empty())
            seen.given.push_back("--" + word.name);
    return seen;
}

/// Returns the options with the matrices of panels, however they were named: as matrices or as
/// panels. For numbers there are none.
ExportStudy with_named_panels(const ExportStudy& options) {
    ExportStudy named = options;
    if (!shows_views(options)) named.state.panels.clear();
    const bool are_panels = options.what && chosen_view(options) == ViewId::Panels;
    if (are_panels && options.state.panels.empty())
        named.state.panels = std::exchange(named.choice.matrices, {});
    return named;
}

/// True for views that say what they need, which may be little of a large network. The arithmetic
/// of a cell also reads the terms that the cell was made of.
bool says_needs(ViewId view) {
    return view_of(view).needs && view != ViewId::Explanation;
}

/// Returns what the view obeys of the state; on the picture of a graph a row is a node.
ViewState state_in(const ExportStudy& options) {
    const ViewId view = chosen_view(options);
    ViewState state = without_refusals(options.state, view);
    if (view == ViewId::Graph) state.rows_are_nodes = true;
    if (view == ViewId::Composition)  // its rows are heads, and none is held
        for (auto* rows : {&state.rows, &state.columns, &state.part_rows, &state.part_columns})
            rows->clear();
    return state;
}

/// Returns the needs of the view for each matrix that is named, else for the chosen one. The page
/// has no values yet.
Watched watched_for(const Workspace& space, const ExportStudy& options) {
    const std::vector<std::string>& named = options.choice.matrices;
    const ViewId view = chosen_view(options);
    if (!says_needs(view))
        return {.everything = view != ViewId::Matrix || named.empty(), .globs = named};
    Watched watched{.everything = false, .globs = {"probs"}};
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const auto add = [&](const Tensor& tensor) {
        Selection selection = space.selection;
        apply_view(selection, {*space.trace, tensor}, space.components, state_in(options),
                   [](const std::string&) {});
        watched.globs.push_back(tensor.path());
        for (std::string& glob : view_of(view).needs(scene.with(selection, scene.theme)))
            watched.globs.push_back(std::move(glob));
    };
    if (named.empty())
        add(space.trace->at(space.selection.chosen));
    else
        for (const TensorId id : tensors_matching(*space.trace, named)) add((*space.trace)[id]);
    if (view == ViewId::Heads && !options.state.with.empty())
        watched.globs.emplace_back("*.pattern");
    return watched;
}

/// Starts the comparison with the other study, as the window would.
void start_comparison(Workspace& space, const ExportStudy& options, const Streams& streams) {
    space.comparison.show(options.state.sides);
    space.comparison.start(
        named_other(space.session.document(), *space.batch, options.state,
                    [&](const std::string& file) { return open_study(file, streams); }));
}

/// Opens the page's parts, and the one that is asked for.
void open_parts(Workspace& space, const ExportStudy& options) {
    space.selection = {};
    space.components = make_components(*space.trace);
    space.selection.sentence = static_cast<int>(options.sentence.value_or(1) - 1);
    open_part(space.selection, *space.trace, space.components, options.state);
    // Options for colours are of the matrices that the view shows.
    if (chosen_view(options) == ViewId::Composition && space.trace->find("composition.Q"))
        space.selection.chosen = "composition.Q";
}

}  // namespace

void look_at(Workspace& space, const ExportStudy& options, const Streams& streams) {
    const ViewId view = chosen_view(options);
    const Document& document = space.session.document();
    const std::optional<Index> first =
        view == ViewId::Matrix ? std::nullopt : std::optional<Index>(1);
    const auto take = [&](Trace whole) {
        space.batch = std::make_shared<const Trace>(std::move(whole));
        space.trace = std::make_shared<const Trace>(
            sentence_page(*space.batch, options.sentence ? options.sentence : first));
    };
    if (says_needs(view) || !options.state.with.empty()) {
        take(Trace(plan(document)));
        open_parts(space, options);
    }
    if (!options.state.with.empty()) start_comparison(space, options, streams);
    if (space.comparison.now().other<OtherHead>())
        space.watched = {.everything = true, .globs = {}};  // of another part, perhaps
    else
        space.watched = watched_for(space, options);
    take(evaluate_study(document, space.watched, streams));
    open_parts(space, options);
}

void choose(Workspace& space, const Tensor& tensor, const ExportStudy& options,
            const Streams& streams) {
    apply_view(space.selection, {*space.trace, tensor}, space.components, state_in(options),
               notes_to(streams));
    if (options.state.with.empty()) return;
    space.comparison.follow(space, space.watched);
    space.comparison.wait();
    space.comparison.follow(space, space.watched);
}

namespace {

/// True for a view of the middle of the window that is no part.
bool is_middle(const std::string& part) {
    return middle_named(part).has_value();
}

void arrange(Workbench& workbench, const ExportStudy& options, const Streams& streams) {
    ViewState state = options.state;
    if (is_middle(state.part)) state.part.clear();
    Selection& selection = workbench.selection();
    const Scene scene = workbench.scene();
    open_part(selection, scene.trace, scene.components, state);
    const std::string path =
        options.choice.matrices.empty() ? selection.chosen : options.choice.matrices.front();
    if (options.choice.look.selected == FigureLook::Selected::Hidden) selection.release();
    apply_view(selection, {scene.trace, scene.trace.at(path)}, scene.components, state,
               notes_to(streams));
    for (const ViewNote& note : notes_on_options(ViewId::Window, state, workbench.scene()))
        if (is_given(options, "--" + note.word)) write_note(streams, text_of(note));
    if (state.with.empty()) return;
    workbench.comparison().show(state.sides);
    workbench.comparison().start(
        named_other(scene.document, *workbench.session().trace(), state,
                    [&](const std::string& file) { return open_study(file, streams); }));
}

/// Exports the window itself, which is pixels only, as it is when the study is opened and the
/// things that the options name are chosen, held and compared. Throws Error if there is no such
/// thing, or no OpenGL.
void export_window(const ExportStudy& options, const Streams& streams) {
    const FigureLook& look = options.choice.look;
    const Point size = look.room.value_or(Point{1280, 800});
    if (!options.output.ends_with(".png"))
        throw Error(options.output,
                    "the window is a picture of pixels: the extension must be .png");
    if (options.choice.matrices.size() > 1) throw Error("--tensor", "the window shows one matrix");
    if (options.choice.has_caption)
        write_note(streams, "--caption: without effect, the window has none");
    make_parent_folder(options.output);
    const float scale = look.dpi / kPointsPerInch;
    WindowPicture picture{
        .study = options.study,
        .output = options.output,
        .width_px = size.x * scale,
        .height_px = size.y * scale,
        .theme = look.theme,
        .show = is_middle(options.state.part) ? std::optional(options.state.part) : std::nullopt,
        .step = {},
        .scale = scale,
        .sentence = options.sentence};
    picture.arrange = [&](Workbench& workbench) { arrange(workbench, options, streams); };
    render_window(picture);
}

constexpr int kSettle_ms = 50;  // one save is several events

class WatchDescriptor {
  public:
    explicit WatchDescriptor(int fd) : fd_(fd) {}
    ~WatchDescriptor() {
        if (fd_ >= 0) close(fd_);
    }
    WatchDescriptor(const WatchDescriptor&) = delete;
    WatchDescriptor& operator=(const WatchDescriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

/// Returns the file's bytes; "" while there is no such file.
std::string read_if_there(const std::string& file) {
    try {
        return read_file(file);
    } catch (const Error&) {
        return {};
    }
}

/// Calls `use` now, and whenever the file has other bytes than before, until SIGINT or SIGTERM; a
/// file that is replaced, or away for a while, is the same one. Sleeps in between. Make no other
/// thread before. Throws Error if its folder cannot be watched.
void watch_file(const std::string& file, const std::function<void()>& use) {
    const WatchDescriptor stop(eventfd(0, EFD_CLOEXEC));
    const SignalWatcher signals([&] { eventfd_write(stop.get(), 1); });
    const WatchDescriptor inotify(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (inotify_add_watch(inotify.get(), folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO) < 0)
        throw Error(path_text(folder), "cannot be watched: {}",
                    std::generic_category().message(errno));
    std::string known = read_if_there(file);
    use();
    std::array<pollfd, 2> waited = {{{inotify.get(), POLLIN, 0}, {stop.get(), POLLIN, 0}}};
    while (true) {
        poll(waited.data(), waited.size(), -1);
        if (waited[1].revents != 0) return;
        poll(&waited[1], 1, kSettle_ms);
        std::array<char, 4096> events;  // forgotten: the file itself says what has changed
        while (read(inotify.get(), events.data(), events.size()) > 0) continue;
        std::string now = read_if_there(file);
        if (now.empty() || now == known) continue;
        known = std::move(now);
        use();
    }
}

/// Returns "--what heads, next, lens …", the views that have numbers of their own.
std::string words_of_tables() {
    std::string words;
    for (const ViewEntry& named : all_views())
        if (named.table) words += (words.empty() ? "--what " : ", ") + std::string(named.word);
    return words;
}

/// One call of the command, with all files that it writes.
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
        const std::vector<const Tensor*> tensors = chosen_tensors();
        if (!is_picture_ && view_of(choice_.view).table && !tensors.empty())
            return write_one(options_.output, *tensors.front());
        if (tensors.empty())
            return write_one(options_.output, space_.trace->at(space_.selection.chosen));
        if (choice_.view == ViewId::Panels) return write_one(options_.output, *tensors.front());
        if (!is_picture_) return write_work();
        const std::vector<std::string> names = output_names(options_.output, tensors);
        for (std::size_t i = 0; i < names.size(); ++i) write_one(names[i], *tensors[i]);
    }

  private:
    /// Notes the options that are of no view, and change nothing in the export.
    void note_idle() const {
        for (const char* name : {"--page", "--per-sheet", "--page-seconds", "--static"})
            if (is_given(name))
                write_note(streams_, std::string(name) + ": without effect, it is of lectures");
        if (!is_picture_) return note_of_pictures();
        for (const TextOption& option : options_.of_pictures) {
            if (!is_given(option.names)) continue;
            if (find_view_option(option.names.substr(2))) continue;  // note_options
            std::string why = why_not_of(option.views, choice_.view);
            const bool is_of_pixels = option.names == "--dpi" || option.names == "--scale";
            if (why.empty() && is_of_pixels && !has_pixels())
                why = "it is of pictures made of pixels, and of lengths in px";
            if (!why.empty()) write_note(streams_, option.names + ": without effect, " + why);
        }
        note_idle_film();
    }

    /// True of an option for the table of the view, which depends on what is asked for, held and
    /// compared.
    bool is_of_table(const ViewOption* option) const {
        return view_of(choice_.view).table && option && option->is_of_tables;
    }

    /// Notes the options of the view that the matrix does not obey, or not wholly; each note once.
    void note_options(const Scene& scene) {
        for (const ViewNote& note : notes_on_options(choice_.view, options_.state, scene)) {
            // The table of a logit has a second word where its picture has no room for one.
            const bool is_second_word =
                !is_picture_ && note.word == "minus" && view_of(choice_.view).shows_logits();
            const bool is_read = is_picture_ || is_of_table(find_view_option(note.word));
            if (!is_given("--" + note.word) || !is_read || is_second_word) continue;
            const std::string text = text_of(note);
            if (noted_.insert(text).second) write_note(streams_, text);
        }
    }

    /// Notes the options that numbers have no use for.
    void note_of_pictures() const {
        std::string idle;
        for (const TextOption& option : options_.of_pictures) {
            if (is_given(option.names) && !is_of_table(find_view_option(option.names.substr(2))))
                append_part(idle, ", ", option.names);
        }
        for (const char* name : {"--motion", "--frames", "--frame-secs"})
            if (is_given(name)) append_part(idle, ", ", name);
        if (!idle.empty())
            write_note(streams_, idle + ": without effect, only pictures are changed by it");
    }

    void note_idle_film() const {
        for (const char* name : {"--frames", "--frame-secs"})
            if (is_given(name) && !choice_.film.is_on())
                write_note(streams_, std::string(name) + ": without effect, it needs --motion");
        if (is_given("--frames") && choice_.film.is_walk())
            write_note(streams_, "--frames: without effect, a walk has a frame for each step");
    }

    bool is_given(std::string_view name) const { return headlight::is_given(options_, name); }
    bool has_pixels() const {
        const FigureLook& look = choice_.look;
        const auto is_in_pixels = [](const std::optional<FigureLength>& length) {
            return length && length->unit == FigureLength::Unit::Pixels;
        };
        const std::string ending = choice_.file.extension();
        return ending == ".png" || ending == ".gif" || is_in_pixels(look.width) ||
               is_in_pixels(look.type);
    }

    static ExportChoice make_choice(const ExportStudy& options) {
        ExportChoice choice = options.choice;
        choice.view = chosen_view(options);
        if (choice.matrices.empty() && choice.view == ViewId::Matrix) choice.matrices = {"*"};
        choice.file = options.output;
        choice.study = options.study;
        choice.other = options.state.with;
        choice.has_paths_as_given = true;
        if (options.sentence) choice.film.sentence = *options.sentence - 1;
        return choice;
    }

    /// Returns the tensors that are asked for. If none is, all, for formats of numbers and of
    /// matrices.
    std::vector<const Tensor*> chosen_tensors() const {
        std::vector<const Tensor*> tensors;
        if (options_.what && !is_picture_ && !view_of(choice_.view).table)
            throw Error("--what",
                        "this view is a picture; {} is a format of numbers: use --tensor, or {}",
                        exporter_for(options_.output).extension, words_of_tables());
        const std::vector<std::string>& named = options_.choice.matrices;
        const bool are_panels = choice_.view == ViewId::Panels;
        const auto& globs = are_panels && named.empty() ? options_.state.panels : named;
        if (choice_.matrices.empty() && globs.empty()) return tensors;
        for (const TensorId id : tensors_matching(*space_.trace, globs))
            tensors.push_back(&(*space_.trace)[id]);
        return tensors;
    }

    void write_one(const std::string& file, const Tensor& tensor) {
        if (choice_.view == ViewId::Heads && !choice_.matrices.empty() &&
            tensor.identity().head < 0)
            write_note(
                streams_,
                fmt::format("--tensor {}: without effect, it is of no head; the view shows all",
                            tensor.path()));
        choose(space_, tensor, options_, streams_);
        choice_.file = file;
        write_work();
    }

    void write_work() {
        const Scene scene = make_scene(space_, theme_named(choice_.look.theme));
        note_options(scene);
        if (view_of(choice_.view).shows_logits() && is_shown(scene, choice_.view))
            if (const std::string problem = make_readout(scene).problem; !problem.empty())
                throw Error("export", "{}", problem);
        const ExportWork work = make_work(scene, choice_);
        ProgressLine line(choice_.film.is_on() ? streams_.terminal : nullptr);
        const ExportDone done = at_once(do_work(work, line.progress()));
        if (!done.note.empty())
            write_note(streams_, fmt::format("{}: {}", choice_.file.string(), done.note));
    }

    const ExportStudy& options_;
    const Streams& streams_;
    bool is_picture_;
    ExportChoice choice_;
    Workspace space_;
    std::set<std::string> noted_;
};

/// Exports the view that was saved with the study. False if there is none, or another one is asked
/// for. Where the study lacks a part of the view, a note says so.
bool export_saved_view(const ExportStudy& options, const OpenedFile& opened,
                       const Streams& streams) {
    if (opened.view.empty() || !shows_saved_view(options)) return false;
    std::optional<ExportStudy> seen;
    std::optional<Export> kept;
    try {
        seen = with_saved_view(options, opened.view);
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

/// Returns the words with which the window shows what the options ask for. Throws Error if it has
/// no such view, or a study of another file would be B.
ViewWords words_of_page(const ExportStudy& options, const Document& document,
                        const Streams& streams) {
    ExportStudy shown = with_named_panels(options);
    const ViewId view = chosen_view(shown);
    constexpr std::array kWithinOthers{ViewId::Matrix, ViewId::Graph,       ViewId::Image,
                                       ViewId::Window, ViewId::Explanation, ViewId::Compared};
    const bool is_of_window =
        view_of(view).stands_in_middle() || std::ranges::count(kWithinOthers, view) > 0;
    if (!is_of_window)
        throw Error(
            "--what",
            "{} is a picture that the window does not have, so it cannot be alive in a page",
            view_of(view).word);
    const std::vector<std::string>& globs = shown.choice.matrices;
    Workspace space(document, {});
    look_at(space, shown, streams);
    std::string path = space.selection.chosen;
    if (!globs.empty()) {
        const std::vector<TensorId> named = tensors_matching(*space.trace, globs);
        if (named.size() > 1)
            throw Error("--tensor", "a page shows one matrix; with --what panels it shows several");
        path = (*space.trace)[named.front()].path();
    }
    choose(space, space.trace->at(path), shown, streams);
    if (space.comparison.now().other<OtherStudy>())
        throw Error("--with", "a page compares with a sentence or a head of its own study");
    show_in_window(space.selection, view);
    return saved_view(make_scene(space, theme_named(ThemeName::Light)));
}

/// Notes the options that only pictures of a fixed size have.
void note_idle_in_page(const ExportStudy& options, const Streams& streams) {
    std::string idle;
    for (const TextOption& option : options.of_pictures)
        if (is_given(options, option.names) && !find_view_option(option.names.substr(2)))
            append_part(idle, ", ", option.names);
    for (const char* name : {"--motion", "--frames", "--frame-secs", "--page", "--per-sheet",
                             "--page-seconds", "--static"})
        if (is_given(options, name)) append_part(idle, ", ", name);
    if (!idle.empty())
        write_note(streams, idle + ": without effect, the view in a page is as large as its frame");
}

/// Writes the program's page with the study and the files that it reads inside; it presents the
/// view, or for --what window is the whole window.
void export_page(const ExportStudy& options, const Streams& streams) {
    OpenedFile opened = open_study_and_view(options.study, streams);
    ExportStudy shown = options;
    shown.sentence = take_recorded_text(opened.document, options.sentence);
    make_changes(opened.document, options.changes, streams);
    const bool is_saved_view = !opened.view.empty() && shows_saved_view(options);
    const ViewWords words =
        is_saved_view ? opened.view : words_of_page(shown, opened.document, streams);
    const Document& document = opened.document;
    const std::filesystem::path study = options.study;
    const SharedWeights& weights = document.weights;
    if (weights && weights->is_model)
        throw Error(options.study,
                    "is read by a pretrained model, which is too large for a page; join its pieces "
                    "or record its attention");
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::absolute(study / "..").lexically_normal();
    const bool has_own_file = std::filesystem::is_regular_file(weights_path(study), ignored);
    const std::string weights_file = has_own_file ? weights_path(study).filename().string()
                                     : weights    ? weights->file
                                                  : "";
    WebPage page{.title = study.stem().string(),
                 .open = study.stem().string() + ".headlight",
                 .is_presented = options.what != "window"};
    page.files.push_back(
        {page.open,
         write_study(document, {.folder = folder, .weights_file = weights_file}, words)});
    for (const std::filesystem::path& file : files_read_by(document, study))
        if (std::filesystem::is_regular_file(folder / file, ignored))
            page.files.push_back(read_page_file(folder, folder / file));
    note_idle_in_page(options, streams);
    check_is_no_input(options.output, std::array{study});
    std::string program = read_program_page(options.output);
    make_parent_folder(options.output);
    write_file(options.output, write_web_page(std::move(program), page));
}

void export_once(const ExportStudy& options, const Streams& streams) {
    if (is_web_page(options)) return export_page(options, streams);
    if (options.what && chosen_view(options) == ViewId::Window)
        return export_window(options, streams);
    OpenedFile opened = open_study_and_view(options.study, streams);
    const std::optional<Index> sentence = take_recorded_text(opened.document, options.sentence);
    make_changes(opened.document, options.changes, streams);
    if (export_saved_view(options, opened, streams)) return;
    ExportStudy shown = with_named_panels(options);
    shown.choice.changes = options.changes.arguments();
    shown.sentence = sentence;
    Export(shown, opened.document, streams).write();
}

}  // namespace

void export_study(const ExportStudy& options, const Streams& streams) {
    if (options.choice.has_caption && is_web_page(options))
        throw Error("--caption", "is of pictures; a page says what it shows itself");
    if (options.choice.has_caption && !shows_views(options))
        throw Error("--caption",
                    "is of pictures; {} is a format of numbers, and none is written beside it",
                    exporter_for(options.output).extension);
    if (!is_web_page(options)) exporter_for(options.output);
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

void add_export_options(Options& command, ExportStudy& options) {
    command.argument("STUDY", options.study, "A *.headlight file");
    command.list("--tensor", options.choice.matrices, "GLOB",
                 "Matrices by their paths (* any text, ? any character); may be repeated");
    command.add({"--what", "A view of the study instead of matrices", view_words(),
                 "is not one of " + view_words(), [&options](const std::string& text) {
                     options.what = text;
                     return is_view_word(text);
                 }});
    command.add({"--motion",
                 "A film: walk, the steps of a part as slides; or a number's way there and back, "
                 "layer.attention.temperature=0.2:4, 'embed[0,3]=-1:1'",
                 "walk|NUMBER=FROM:TO", "is empty", [&options](const std::string& text) {
                     options.choice.film.motion = text;
                     return !text.empty();
                 }});
    command.number("--frames", options.choice.film.n_frames, 2, 1000,
                   "Of a number, from one end to the other");
    command.add({"--frame-secs",
                 "How long each frame of a film is shown [2 for a walk, otherwise 0.08]", "NUMBER",
                 "is not a number from 0.02 to 60", [&options](const std::string& text) {
                     const auto secs = number_between(text, 0.02f, 60.0f);
                     options.choice.film.frame_secs = secs.value_or(0);
                     return secs.has_value();
                 }});
    command.output(options.output,
                   ".png, .svg, .pdf or .gif; .html, a page in which it is alive; .csv, .tsv, "
                   ".npy, .tex or .md of one matrix; .npz, "
                   ".safetensors or .json of many. {path}, {layer}, {head} and {name} in it make "
                   "one file for each matrix, {frame} one for each frame of a film");
    command.flag("--caption", options.choice.has_caption,
                 "Beside FILE also FILE.txt: the study, the version, the command");
    command.flag("--watch", options.watches,
                 "Export again whenever the study changes, until Ctrl+C");
    command.example(
        "  headlight export tired.headlight --tensor blocks.0.attn.heads.0.pattern "
        "-o pattern.pdf --width 85mm --type 7pt\n"
        "  headlight export tired.headlight --tensor '*.pattern' -o 'fig/{path}.svg'\n"
        "  headlight export tired.headlight --what heads -o heads.png --dpi 300");
}

}  // namespace headlight
