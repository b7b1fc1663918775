#include "cli/readout/prompt_sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/open_study.h"
#include "cli/output/kept_moments.h"
#include "cli/output/progress_line.h"
#include "cli/readout/asked_question.h"
#include "cli/readout/swept_study.h"
#include "core/error.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "model/changes.h"
#include "model/workers.h"
#include "text/counted.h"

namespace headlight {
namespace {

/// Everything that the counted numbers depend on, but the sweep's sentence.
std::string question_of(const Document& document, const SweepStudy& options) {
    std::string text = write_study(document) + read_file(*options.prompts) +
                       sweep_sentence(options.all_settings(), options.from.size()) +
                       std::to_string(static_cast<int>(options.settings.quantity)) + "\n" +
                       options.to.value_or("-") + "\n" +
                       std::to_string(static_cast<int>(options.through));
    for (const auto& word : {options.asked.row, options.asked.of, options.asked.minus})
        text += "\n" + word.value_or("-");
    for (const std::string& from : options.from) text += "\n" + from;
    return text;
}

std::string texts_json(const std::vector<std::string>& texts) {
    std::string json = "[";
    for (const std::string& text : texts)
        json += (&text == &texts.front() ? "" : ", ") + json_string(text);
    return json + "]";
}

std::vector<std::string> texts_in(const JsonView& view) {
    std::vector<std::string> texts;
    view.for_each_element([&](const JsonView& text) { texts.push_back(text.text()); });
    return texts;
}

std::string rows_json(const SweepResult& result) {
    std::string json = "[";
    for (const SweepRow& row : result.rows)
        json += (&row == &result.rows.front() ? "[" : ", [") + std::to_string(row.layer) + ", " +
                std::to_string(static_cast<int>(row.attention)) + "]";
    return json + "]";
}

/// Tokens of different prompts share their places alone.
void name_places(SweepResult& result) {
    if (result.over != SweepOver::Tokens) return;
    for (std::size_t k = 0; k < result.columns.size(); ++k)
        result.columns[k] = "token " + std::to_string(k);
}

std::string shape_of(const SweepResult& result) {
    return std::to_string(result.rows.size()) + " × " + std::to_string(result.columns.size());
}

}  // namespace

PromptSweep::PromptSweep(const SweepStudy& options, const Streams& streams)
    : options_(options),
      streams_(streams),
      document_(open_for_numbers(options.asked.study, streams)),
      prompts_(read_prompts(*options.prompts)),
      question_(checksum(question_of(document_, options))) {
    shape_.over = options.settings.over;
    check_one_quantity();
    if (!options.output) return;
    check_is_no_input(*options.output, {{options.asked.study, *options.prompts}});
    part_ = *options.output + ".part";
}

/// Logits and differences of two logits have no mean, and neither have changes by other tokens'
/// rows and by another text's.
void PromptSweep::check_one_quantity() const {
    const auto check = [&](auto member, const char* name, bool is_given, const char* why) {
        const auto has = [&](const SweepPrompt& prompt) { return (prompt.*member).has_value(); };
        const auto with = std::ranges::find_if(prompts_, has),
                   without = std::ranges::find_if_not(prompts_, has);
        if (is_given || with == prompts_.end() || without == prompts_.end()) return;
        throw Error(path_text(*options_.prompts),
                    "line " + std::to_string(without->line) + " has no " + name + ", line " +
                        std::to_string(with->line) + " has one: " + why +
                        "; fill all cells or none, or give --" + name);
    };
    if (asks_of_word(options_.settings.quantity))
        check(&SweepPrompt::minus, "minus", options_.asked.minus.has_value(),
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
            line.progress().enter("line " + std::to_string(prompt.line));
            try {
                sweep(prompt, workers.for_each());
            } catch (const Error& error) {
                left_out_.push_back("line " + std::to_string(prompt.line) + ": " + error.what());
            }
            ++n_done_;
            keep();
            line.progress().advance(1);
        }
    }
    write_notes(streams_, "left out: ", left_out_);
    if (before_.n == 0) {
        forget();
        throw Error(path_text(*options_.prompts),
                    "has no prompt that could be swept: " + left_out_.front());
    }
    const bool is_change = options_.settings.quantity != SweepQuantity::Divergence;
    const double deviation = before_.deviation();
    const std::string spread =
        std::isnan(deviation) ? "" : " (standard deviation " + digits(deviation) + ")";
    write_note(streams_, "change of " + quantity() +
                             (is_change ? ", which is " + digits(before_.mean) + spread : "") +
                             ": mean over " + counted(before_.n, "prompt") + "; " + sentence_);
}

bool PromptSweep::has_enough() const {
    return options_.n_texts > 0 && before_.n >= options_.n_texts;
}

void PromptSweep::sweep(const SweepPrompt& prompt, const ForEach& for_each) {
    SweepStudy options = options_;
    if (prompt.of) options.asked.of = prompt.of;
    if (prompt.minus) options.asked.minus = prompt.minus;
    if (prompt.from) options.from = {*prompt.from};
    const SweepKind kind = options.settings.kind;
    if (prompt.from && kind != SweepKind::Patch && kind != SweepKind::Resample)
        throw Error("sweep", "a text in the column from is of --do patch and resample");
    Document document = document_;
    set_text(document, prompt.text);
    const SweptStudy study(std::move(document), options, streams_);
    SweepResult result = study.run(for_each);
    name_places(result);
    sentence_ = study.sentence();
    add(std::move(result));
}

void PromptSweep::add(SweepResult result) {
    if (before_.n == 0) {
        cells_.assign(static_cast<std::size_t>(result.change.size()), {});
        shape_ = result;
    } else if (result.rows != shape_.rows || result.columns != shape_.columns) {
        throw Error("sweep", "its table is " + shape_of(result) + ", that of the first prompt " +
                                 shape_of(shape_) + ": over tokens all prompts must have as many");
    }
    before_.add(result.before);
    for (std::size_t k = 0; k < cells_.size(); ++k)
        cells_[k].add(static_cast<double>(result.change.data()[k]));
}

void PromptSweep::go_on() {
    if (part_.empty() || !std::filesystem::exists(part_)) return;
    const JsonSource source{path_text(part_), parse_json(read_file(part_), path_text(part_))};
    const JsonView root(source);
    if (checksum_in(root.at("question")) != question_)
        throw Error(path_text(part_),
                    "was counted of another study, other prompts or other options; remove it to "
                    "begin anew");
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
    write_note(streams_, "goes on behind " + counted(n_done_, "prompt") + ", with " +
                             std::to_string(before_.n) + " swept before");
}

void PromptSweep::keep() const {
    if (part_.empty()) return;
    std::string json = "{\"question\": \"" + checksum_text(question_) +
                       "\", \"prompts\": " + std::to_string(n_done_) +
                       ",\n \"left_out\": " + texts_json(left_out_) +
                       ",\n \"sentence\": " + json_string(sentence_) +
                       ",\n \"rows\": " + rows_json(shape_) +
                       ", \"columns\": " + texts_json(shape_.columns) +
                       ",\n \"before\": " + moments_json(before_) + ",\n \"cells\": [";
    for (const Moments& cell : cells_)
        json += (&cell == &cells_.front() ? "\n  " : ",\n  ") + moments_json(cell);
    write_file(part_, json + "]}\n");
}

void PromptSweep::forget() const {
    if (!part_.empty() && n_done_ == prompts_.size()) std::filesystem::remove(part_);
}

void PromptSweep::stop_if_asked() const {
    if (!is_interrupted_) return;
    throw Error("sweep", "interrupted behind " + counted(n_done_, "prompt") +
                             (part_.empty() ? "; nothing is kept: that needs -o"
                                            : "; what was counted is kept in " + path_text(part_) +
                                                  ", and the same command goes on from there"));
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
            "change of " + quantity() + "; " + sentence_,
            {{"row", std::move(rows)},
             {"column", std::move(columns)},
             {"prompts", std::move(prompts)},
             {"mean", std::move(mean)},
             {"deviation", std::move(deviation)},
             {"lowest", std::move(lowest)},
             {"highest", std::move(highest)}},
            2};
}

DoneSweep PromptSweep::mean() const {
    DoneSweep sweep{{.settings = options_.all_settings(), .asked = asked()},
                    sentence_ + "; mean over " + counted(before_.n, "prompt"),
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
        return of_each + ", where it names none " + given.value_or("its likeliest one");
    };
    const std::string of = word(&SweepPrompt::of, options_.asked.of, "each prompt's word"),
                      minus = word(&SweepPrompt::minus, options_.asked.minus, "its other word");
    return (of.empty() ? "each prompt's likeliest word" : of) +
           (minus.empty() ? "" : " − " + minus);
}

std::string PromptSweep::quantity() const {
    return quantity_words(options_.settings.quantity, asked(), "each text's");
}

}  // namespace headlight
