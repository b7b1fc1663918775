// headlight sweep: one text, or the mean over the prompts of a file.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/signal_watcher.h"
#include "cli/open_study.h"
#include "cli/output.h"
#include "cli/readout_command.h"
#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "graph/text_lines.h"
#include "io/exporters.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "io/text/table.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "model/workers.h"
#include "text/strings.h"
#include "views/finished_sweep.h"
#include "views/readout_words.h"
#include "views/view_figure.h"
#include "views/view_table.h"

namespace headlight {
namespace {

class SweptDocument {
  public:
    /// Prepares a sweep. `options` outlives it; its words, and its texts of --from, may be those of
    /// a prompt. Throws Error if the text has no such word or place.
    SweptDocument(Document document, const SweepStudy& options, const Streams& streams);
    SweptDocument(const SweptDocument&) = delete;
    SweptDocument& operator=(const SweptDocument&) = delete;

    SweepResult run(const ForEach& for_each) const;

    /// Returns the quantity in words: "the logit of ␣Mary after ␣to".
    std::string quantity() const;
    /// Returns the result with the words that a picture says of it.
    FinishedSweep done(SweepResult result) const;
    const Document& document() const { return document_; }
    std::string sentence() const { return sweep_sentence(sweep_.settings, sweep_.from.size()); }

  private:
    /// Throws Error if the quantity is NaN before anything is changed.
    void check_has_change() const;
    std::string asked() const;

    Document document_;
    Trace base_;
    std::deque<Trace> others_;
    Sweep sweep_;
};

SweptDocument::SweptDocument(Document document, const SweepStudy& options, const Streams& streams)
    : document_(std::move(document)),
      base_(trace_with_logits(document_, streams)),
      sweep_{options.all_settings()} {
    for (const std::string& text : options.from) {
        Document other = document_;
        set_text(other, text);
        others_.push_back(evaluate_study(other, {}, streams));
        sweep_.from.push_back(&others_.back());
    }
    if (asks_of_place(options.settings.quantity))
        sweep_.question = question_for(document_, base_, options.target, streams);
    check_has_change();
    if (!options.to) return;
    sweep_.settings.path = path_to(base_, *options.to);
    sweep_.settings.path->through = options.through;
}

void SweptDocument::check_has_change() const {
    if (asks_of_place(sweep_.settings.quantity))
        return check_is_ranked(document_, base_, sweep_.question.row);
    for (Index row = 0; row < logits_in(base_, "").rows().size; ++row)
        check_is_ranked(document_, base_, row);
}

SweepResult SweptDocument::run(const ForEach& for_each) const {
    return run_sweep(document_, base_, sweep_, for_each);
}

FinishedSweep SweptDocument::done(SweepResult result) const {
    return {{.settings = sweep_.settings, .question = sweep_.question, .asked = asked()},
            sentence(),
            std::move(result)};
}

std::string SweptDocument::asked() const {
    const SweepQuantity quantity = sweep_.settings.quantity;
    if (asks_of_word(quantity)) return question_text(document_, base_, sweep_.question);
    return asks_of_place(quantity) ? place_asked(document_, base_, sweep_.question) : "";
}

std::string SweptDocument::quantity() const {
    return quantity_words(sweep_.settings.quantity, asked(), "the text's");
}

struct SweepPrompt {
    int line = 0;  // of the file, from 1
    std::string text;
    std::optional<std::string> of = {}, minus = {}, from = {};  // of the table; absent: empty
};

constexpr std::array kPromptColumns = {"text", "of", "minus", "from"};

class PromptTable {
  public:
    PromptTable(TextLines& lines, Separator separator) : lines_(lines), separator_(separator) {}

    std::vector<SweepPrompt> read() {
        if (!lines_.next()) return {};
        read_head();
        std::vector<SweepPrompt> prompts;
        while (lines_.next())
            if (!trimmed(lines_.line()).empty()) prompts.push_back(read_prompt());
        return prompts;
    }

  private:
    void read_head() {
        for (const std::string_view cell : cells_.split(lines_.line(), separator_)) {
            const auto at = std::ranges::find(kPromptColumns, cell);
            if (at == kPromptColumns.end())
                lines_.fail(
                    "'{}' is no column of prompts; the first line names text, of, minus, from",
                    cell);
            columns_.emplace_back(*at);
        }
        if (!is_among("text", columns_))
            lines_.fail("there is no column text; the first line names text, of, minus, from");
    }

    SweepPrompt read_prompt() {
        const std::vector<std::string_view>& cells = cells_.split(lines_.line(), separator_);
        if (cells.size() > columns_.size())
            lines_.fail("this line has {} cells, the first {}", cells.size(), columns_.size());
        SweepPrompt prompt{lines_.number(), ""};
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (cells[k].empty()) continue;
            const std::string cell(cells[k]);
            if (columns_[k] == "text") prompt.text = cell;
            if (columns_[k] == "of") prompt.of = cell;
            if (columns_[k] == "minus") prompt.minus = cell;
            if (columns_[k] == "from") prompt.from = cell;
        }
        if (prompt.text.empty()) lines_.fail("this line has no text");
        return prompt;
    }

    TextLines& lines_;
    Separator separator_;
    Cells cells_;
    std::vector<std::string> columns_;
};

/// Reads the prompts. A file NAME.csv or NAME.tsv is a table, whose first line names its columns:
/// text, of, minus, from. Of another file each line is a text. Empty lines are left out. Throws
/// Error, naming the line, if it is no such table, and if there is no prompt.
std::vector<SweepPrompt> read_prompts(const std::string& file) {
    const std::string bytes = read_file(file), source = path_text(file);
    TextLines lines(bytes, "prompts", source);
    const bool is_csv = file.ends_with(".csv"), is_tsv = file.ends_with(".tsv");
    std::vector<SweepPrompt> prompts;
    if (is_csv || is_tsv)
        prompts = PromptTable(lines, is_csv ? Separator::Comma : Separator::Tab).read();
    else
        while (lines.next())
            if (!trimmed(lines.line()).empty())
                prompts.push_back({lines.number(), std::string(lines.line())});
    if (prompts.empty()) lines.fail_whole("there is no prompt");
    return prompts;
}

/// A sweep over prompts. Throws Error for prompts that would be a mean of several quantities. Each
/// prompt counts once. A prompt that cannot be swept, or whose table has another shape than the
/// first one's, is left out, and named. With an output, the count is kept beside it, and the next
/// call goes on from there.
class PromptSweep {
  public:
    PromptSweep(const SweepStudy& options, const Streams& streams);
    PromptSweep(const PromptSweep&) = delete;
    PromptSweep& operator=(const PromptSweep&) = delete;

    /// Throws Error if no prompt could be swept, and when Ctrl+C ends it after one.
    void run();

    /// Returns a row for each cell: row, column, prompts, mean, deviation, lowest, highest.
    Table table() const;
    /// Returns the mean as a sweep of its own, for a picture.
    FinishedSweep mean() const;
    const Document& document() const { return document_; }
    /// Removes the kept count, if all prompts are done.
    void forget() const;

  private:
    void check_one_quantity() const;
    std::string asked() const;
    std::string quantity() const;
    void go_on();
    /// Throws Error, naming the place, if the JSON is no count of these prompts.
    void take_kept(const JsonView& root);
    void sweep(const SweepPrompt& prompt, const ForEach& for_each);
    bool has_enough() const;
    void add(SweepResult result);
    void keep() const;
    void stop_if_asked() const;

    std::atomic<bool> is_interrupted_ = false;
    SignalWatcher signals_{[this] { is_interrupted_ = true; }};  // before all threads
    const SweepStudy& options_;
    const Streams& streams_;
    Document document_;
    std::vector<SweepPrompt> prompts_;
    std::uint64_t question_ = 0;  // the study, the options and the prompts
    KeptCount part_;

    // These are the count:
    std::size_t n_done_ = 0;  // prompts, with those left out
    std::vector<std::string> left_out_;
    SweepResult shape_;           // its numbers are those of the first prompt
    std::vector<Moments> cells_;  // row by row; none of them: there is no such component
    Moments before_;
    std::string sentence_;
};

/// Returns everything that the counted numbers depend on, but the sweep's sentence.
std::string question_of(const Document& document, const SweepStudy& options) {
    std::string text =
        fmt::format("{}{}{}{}\n{}\n{}", write_study(document), read_file(*options.prompts),
                    sweep_sentence(options.all_settings(), options.from.size()),
                    static_cast<int>(options.settings.quantity), options.to.value_or("-"),
                    static_cast<int>(options.through));
    for (const auto& word : {options.target.row, options.target.of, options.target.minus})
        text += "\n" + word.value_or("-");
    for (const std::string& from : options.from) text += "\n" + from;
    return text;
}

std::vector<std::string> texts_in(const JsonView& view) {
    std::vector<std::string> texts;
    view.for_each_element([&](const JsonView& text) { texts.push_back(text.text()); });
    return texts;
}

std::string rows_json(const SweepResult& result) {
    std::string json = "[";
    for (const SweepRow& row : result.rows)
        json += fmt::format("{}{}, {}]", &row == &result.rows.front() ? "[" : ", [", row.layer,
                            static_cast<int>(row.attention));
    return json + "]";
}

std::string shape_of(const SweepResult& result) {
    return fmt::format("{} × {}", result.rows.size(), result.columns.size());
}

PromptSweep::PromptSweep(const SweepStudy& options, const Streams& streams)
    : options_(options),
      streams_(streams),
      document_(open_for_numbers(options.target.study, options.target.changes, streams)),
      prompts_(read_prompts(*options.prompts)),
      question_(checksum(question_of(document_, options))) {
    shape_.over = options.settings.over;
    check_one_quantity();
    if (!options.output) return;
    check_is_no_input(*options.output, {{options.target.study, *options.prompts}});
    part_ = KeptCount(*options.output);
}

/// Throws Error for a mean of several quantities: logits and differences of two logits have no
/// mean, and neither have changes by other tokens' rows and by another text's.
void PromptSweep::check_one_quantity() const {
    const auto check = [&](auto member, const char* name, bool is_given, const char* why) {
        const auto has = [&](const SweepPrompt& prompt) { return (prompt.*member).has_value(); };
        const auto with = std::ranges::find_if(prompts_, has),
                   without = std::ranges::find_if_not(prompts_, has);
        if (is_given || with == prompts_.end() || without == prompts_.end()) return;
        throw Error(path_text(*options_.prompts),
                    "line {} has no {}, line {} has one: {}; fill all cells or none, or give --{}",
                    without->line, name, with->line, why, name);
    };
    if (asks_of_word(options_.settings.quantity))
        check(&SweepPrompt::minus, "minus", options_.target.minus.has_value(),
              "a mean of logits and of differences of two says nothing");
    if (options_.settings.kind == SweepKind::Resample)
        check(&SweepPrompt::from, "from", !options_.from.empty(),
              "a mean of changes by rows of the same text and of another one says nothing");
}

void PromptSweep::run() {
    go_on();
    {
        Workers workers(count_spare_threads());
        ProgressLine line(streams_.terminal);
        line.progress().begin(static_cast<double>(prompts_.size() - n_done_));
        while (n_done_ < prompts_.size() && !has_enough()) {
            stop_if_asked();
            const SweepPrompt& prompt = prompts_[n_done_];
            line.progress().enter(fmt::format("line {}", prompt.line));
            try {
                sweep(prompt, workers.for_each());
            } catch (const Error& error) {
                left_out_.push_back(fmt::format("line {}: {}", prompt.line, error.what()));
            }
            ++n_done_;
            keep();
            line.progress().advance(1);
        }
    }
    write_notes(streams_, "left out: ", left_out_);
    if (before_.n == 0) {
        forget();
        throw Error(path_text(*options_.prompts), "has no prompt that could be swept: {}",
                    left_out_.front());
    }
    const bool is_change = options_.settings.quantity != SweepQuantity::Divergence;
    const double deviation = before_.deviation();
    const std::string spread =
        std::isnan(deviation) ? "" : fmt::format(" (standard deviation {})", digits(deviation));
    write_note(streams_, fmt::format("change of {}{}: mean over {}; {}", quantity(),
                                     is_change ? ", which is " + digits(before_.mean) + spread : "",
                                     counted(before_.n, "prompt"), sentence_));
}

bool PromptSweep::has_enough() const {
    return options_.n_texts > 0 && before_.n >= options_.n_texts;
}

void PromptSweep::sweep(const SweepPrompt& prompt, const ForEach& for_each) {
    SweepStudy options = options_;
    if (prompt.of) options.target.of = prompt.of;
    if (prompt.minus) options.target.minus = prompt.minus;
    if (prompt.from) options.from = {*prompt.from};
    const SweepKind kind = options.settings.kind;
    if (prompt.from && kind != SweepKind::Patch && kind != SweepKind::Resample)
        throw Error("sweep", "a text in the column from is of --do patch and resample");
    Document document = document_;
    set_text(document, prompt.text);
    const SweptDocument study(std::move(document), options, streams_);
    SweepResult result = study.run(for_each);
    // Tokens of different prompts share only their places.
    if (result.over == SweepSites::Tokens)
        for (std::size_t k = 0; k < result.columns.size(); ++k)
            result.columns[k] = fmt::format("token {}", k);
    sentence_ = study.sentence();
    add(std::move(result));
}

void PromptSweep::add(SweepResult result) {
    if (before_.n == 0) {
        cells_.assign(static_cast<std::size_t>(result.change.size()), {});
        shape_ = result;
    } else if (result.rows != shape_.rows || result.columns != shape_.columns) {
        throw Error("sweep",
                    "its table is {}, that of the first prompt {}: over tokens all prompts must "
                    "have as many",
                    shape_of(result), shape_of(shape_));
    }
    before_.add(result.before);
    for (std::size_t k = 0; k < cells_.size(); ++k)
        cells_[k].add(static_cast<double>(result.change.data()[k]));
}

void PromptSweep::go_on() {
    const std::optional<std::string> kept = part_.read(streams_);
    if (!kept) return;
    const std::string name = path_text(part_.file());
    const JsonSource source{name, parse_json(*kept, name)};
    const JsonView root(source);
    if (checksum_in(root.at("question")) != question_)
        return part_.set_aside("was counted of another study, other prompts or other options",
                               streams_);
    take_kept(root);
    write_note(streams_, fmt::format("goes on after {}, with {} swept before",
                                     counted(n_done_, "prompt"), before_.n));
}

void PromptSweep::take_kept(const JsonView& root) {
    n_done_ = static_cast<std::size_t>(
        root.at("prompts").integer(0, static_cast<std::int64_t>(prompts_.size())));
    left_out_ = texts_in(root.at("left_out"));
    sentence_ = root.at("sentence").text();
    shape_.columns = texts_in(root.at("columns"));
    root.at("rows").for_each_element([&](const JsonView& row) {
        if (row.size() != 2) row.fail("must be two numbers");
        shape_.rows.push_back({static_cast<int>(row[0].integer(-1, 1 << 20)),
                               static_cast<ComponentKind>(row[1].integer(0, 64))});
    });
    before_ = moments_in(root.at("before"));
    root.at("cells").for_each_element(
        [&](const JsonView& cell) { cells_.push_back(moments_in(cell)); });
    if (cells_.size() != shape_.rows.size() * shape_.columns.size())
        root.fail("has not as many cells as rows and columns");
}

void PromptSweep::keep() const {
    if (!part_.keeps()) return;
    std::string json = fmt::format(
        "{{\"question\": \"{}\", \"prompts\": {},\n"
        " \"left_out\": {},\n"
        " \"sentence\": {},\n"
        " \"rows\": {}, \"columns\": {},\n"
        " \"before\": {},\n"
        " \"cells\": [",
        checksum_text(question_), n_done_, json_list(left_out_), json_string(sentence_),
        rows_json(shape_), json_list(shape_.columns), moments_json(before_));
    for (const Moments& cell : cells_)
        json += (&cell == &cells_.front() ? "\n  " : ",\n  ") + moments_json(cell);
    part_.write(json + "]}\n");
}

void PromptSweep::forget() const {
    if (n_done_ == prompts_.size()) part_.remove();
}

void PromptSweep::stop_if_asked() const {
    if (!is_interrupted_) return;
    throw Error(
        "sweep", "interrupted after {}{}", counted(n_done_, "prompt"),
        part_.keeps()
            ? fmt::format(
                  "; what was counted is kept in {}, and the same command goes on from there",
                  path_text(part_.file()))
            : "; nothing is kept: that needs -o");
}

Table PromptSweep::table() const {
    std::vector<std::string> rows, columns;
    std::vector<double> prompts, mean, deviation, lowest, highest;
    const std::vector<std::string> names = row_names(shape_);
    for (std::size_t k = 0; k < cells_.size(); ++k) {
        const Moments& cell = cells_[k];
        if (cell.n == 0) continue;
        rows.push_back(names[k / shape_.columns.size()]);
        columns.push_back(shape_.columns[k % shape_.columns.size()]);
        prompts.push_back(static_cast<double>(cell.n));
        mean.push_back(cell.mean);
        deviation.push_back(cell.deviation());
        lowest.push_back(cell.low);
        highest.push_back(cell.high);
    }
    return {"sweep",
            fmt::format("change of {}; {}", quantity(), sentence_),
            {{"row", std::move(rows)},
             {"column", std::move(columns)},
             {"prompts", std::move(prompts)},
             {"mean", std::move(mean)},
             {"deviation", std::move(deviation)},
             {"lowest", std::move(lowest)},
             {"highest", std::move(highest)}},
            2};
}

FinishedSweep PromptSweep::mean() const {
    FinishedSweep sweep{{.settings = options_.all_settings(), .asked = asked()},
                        fmt::format("{}; mean over {}", sentence_, counted(before_.n, "prompt")),
                        shape_};
    sweep.result.before = before_.mean;
    Matrix& change = sweep.result.change;
    change.resize(std::ssize(shape_.rows), std::ssize(shape_.columns));
    for (std::size_t k = 0; k < cells_.size(); ++k)
        change.data()[k] = cells_[k].n > 0 ? static_cast<Scalar>(cells_[k].mean)
                                           : std::numeric_limits<Scalar>::quiet_NaN();
    return sweep;
}

std::string PromptSweep::asked() const {
    if (!asks_of_word(options_.settings.quantity)) return "";
    const auto word = [&](auto member, const std::optional<std::string>& given,
                          const std::string& of_each) {
        const auto n_own = std::ranges::count_if(
            prompts_, [&](const SweepPrompt& prompt) { return (prompt.*member).has_value(); });
        if (n_own == 0) return given.value_or("");
        if (n_own == std::ssize(prompts_)) return of_each;
        return fmt::format("{}, where it names none {}", of_each,
                           given.value_or("its likeliest one"));
    };
    const std::string of = word(&SweepPrompt::of, options_.target.of, "each prompt's word"),
                      minus = word(&SweepPrompt::minus, options_.target.minus, "its other word");
    return (of.empty() ? "each prompt's likeliest word" : of) +
           (minus.empty() ? "" : " − " + minus);
}

std::string PromptSweep::quantity() const {
    return quantity_words(options_.settings.quantity, asked(), "each text's");
}

void check_words(const SweepStudy& options) {
    const LogitTarget& target = options.target;
    const SweepQuantity quantity = options.settings.quantity;
    if (!asks_of_place(quantity) && (target.of || target.minus || target.row))
        throw Error("sweep",
                    "--of, --minus and --row are of a logit, and --quantity loss has none");
    if (!asks_of_word(quantity) && (target.of || target.minus))
        throw Error("sweep",
                    "--of and --minus name a word, and --quantity divergence is of all words");
}

void check_sweep_options(const SweepStudy& options) {
    const SweepKind kind = options.settings.kind;
    const bool is_patch = kind == SweepKind::Patch;
    const bool has_one = options.from.size() == 1 || (options.prompts && options.from.empty());
    if (is_patch ? !has_one : kind != SweepKind::Resample && !options.from.empty())
        throw Error("sweep",
                    "--do patch needs one --from \"another text\", and --do resample can have "
                    "several; nothing else does");
    if (options.n_texts > 0 && !options.prompts)
        throw Error("sweep", "--texts counts the prompts of a file: --prompts");
    check_words(options);
    if (kind != SweepKind::Resample && (options.seed || options.n_draws))
        throw Error("sweep", "{} is of --do resample, which draws; nothing else does",
                    options.seed ? "--seed" : "--draws");
    const bool ends_in_head = options.to && *options.to != "logits";
    if (options.through != HeadInput::All && !ends_in_head)
        throw Error("sweep", "--through is an input of the head that --to names");
    check_table_output(options.output, {.json = options.json, .may_be_picture = true});
}

/// Writes the same figure as the window's.
void write_sweep_picture(const SweepStudy& options, const Document& document,
                         const FinishedSweep& sweep, const Streams& streams) {
    const Trace trace(plan(document));
    const Components components = make_components(trace);
    Selection selection;
    selection.fit(trace, components);
    Scene scene{document, trace, components, selection, theme_named(options.look.theme)};
    scene.sweep = &sweep;
    const ViewFigure view = view_figure(scene, ViewId::Sweep, options.look, pango_measure());
    write_picture(*options.output, view);
    if (!view.note.empty()) write_note(streams, fmt::format("{}: {}", *options.output, view.note));
}

void sweep_prompts(const SweepStudy& options, const Streams& streams) {
    PromptSweep sweep(options, streams);
    sweep.run();
    if (options.output && is_picture_name(*options.output))
        write_sweep_picture(options, sweep.document(), sweep.mean(), streams);
    else
        write_table(sweep.table(), options.output, streams, {.json = options.json});
    sweep.forget();
}

}  // namespace

void sweep_study(const SweepStudy& options, const Streams& streams) {
    check_sweep_options(options);
    note_idle_look(options.look, options.output, streams);
    if (options.prompts) return sweep_prompts(options, streams);
    const SweptDocument study(
        open_for_numbers(options.target.study, options.target.changes, streams), options, streams);
    Workers workers(count_spare_threads());
    ProgressLine line(streams.terminal);
    const SweepResult result = study.run(workers.for_each().followed_by(line.progress()));
    write_note(streams, fmt::format("change of {}, which is {}; {}", study.quantity(),
                                    digits(result.before), study.sentence()));
    const FinishedSweep done = study.done(result);
    if (options.output && is_picture_name(*options.output))
        return write_sweep_picture(options, study.document(), done, streams);
    write_table(sweep_table(done), options.output, streams, {.json = options.json});
}

}  // namespace headlight
