// headlight heads: what every head does over the texts of a corpus.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/signal_watcher.h"
#include "cli/open_study.h"
#include "cli/output.h"
#include "cli/readout_command.h"
#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "expression/head_measure.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "model/changes.h"
#include "model/joined_pieces.h"
#include "model/weights.h"
#include "model/workers.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// A count, and the question that it answers.
struct Counted {
    std::uint64_t question = 0;    // the study
    std::vector<std::string> own;  // --metric
    bool without_first = false, joins_pieces = false;
    std::uint64_t read = 0;  // the lines so far
    long n_lines = 0, n_texts = 0, n_left_out = 0;
    std::vector<HeadTally> heads;

    void take(const std::string& line);
};

/// Reads the question of a count that was kept.
Counted read_question(const JsonView& root) {
    Counted counted;
    counted.question = checksum_in(root.at("question"));
    root.at("metrics").for_each_element(
        [&](const JsonView& metric) { counted.own.push_back(metric.text()); });
    counted.without_first = root.at("without_first").flag();
    counted.joins_pieces = root.at("join_pieces").flag();
    return counted;
}

void read_heads(const JsonView& root, Counted& counted) {
    const std::size_t n_metrics = measured_metric_names().size() + counted.own.size();
    counted.read = checksum_in(root.at("read"));
    counted.n_lines = static_cast<long>(root.at("lines").integer(0, kMostCounted));
    counted.n_texts = static_cast<long>(root.at("texts").integer(0, kMostCounted));
    counted.n_left_out = static_cast<long>(root.at("left_out").integer(0, kMostCounted));
    root.at("heads").for_each_element([&](const JsonView& view) {
        HeadTally head{
            view.at("attention").text(), static_cast<int>(view.at("head").integer(0, 1 << 20)), {}};
        const JsonView metrics = view.at("metrics");
        if (metrics.size() != n_metrics) metrics.fail("has not all metrics");
        metrics.for_each_element(
            [&](const JsonView& moments) { head.metrics.push_back(moments_in(moments)); });
        counted.heads.push_back(std::move(head));
    });
}

/// Throws Error, naming the option, if the kept count of the same study and corpus was made with
/// other options.
void check_same_options(const std::filesystem::path& part, const Counted& before,
                        const Counted& now) {
    const std::string otherwise = "; give the same, or remove it to begin anew";
    if (before.without_first != now.without_first)
        throw Error(path_text(part), "was counted with{} --without-first{}",
                    before.without_first ? "" : "out", otherwise);
    if (before.joins_pieces != now.joins_pieces)
        throw Error(path_text(part), "was counted with{} --join-pieces{}",
                    before.joins_pieces ? "" : "out", otherwise);
    if (before.own == now.own) return;
    std::string given;
    for (const std::string& metric : before.own) given += fmt::format(" --metric '{}'", metric);
    throw Error(path_text(part), "was counted with{}{}", given.empty() ? "out --metric" : given,
                otherwise);
}

void Counted::take(const std::string& line) {
    read = checksum(checksum_text(read) + line);
    ++n_lines;
}

std::string write_counted(const Counted& counted) {
    std::string json =
        "{\"question\": \"" + checksum_text(counted.question) + "\",\n \"metrics\": [";
    json += joined(counted.own, ", ", json_string);
    json += fmt::format(
        "], \"without_first\": {}, \"join_pieces\": {},\n"
        " \"read\": \"{}\",\n"
        " \"lines\": {}, \"texts\": {}, \"left_out\": {},\n"
        " \"heads\": [",
        counted.without_first ? "true" : "false", counted.joins_pieces ? "true" : "false",
        checksum_text(counted.read), counted.n_lines, counted.n_texts, counted.n_left_out);
    for (const HeadTally& head : counted.heads) {
        json += &head == &counted.heads.front() ? "\n" : ",\n";
        json += fmt::format(R"(  {{"attention": {}, "head": {}, "metrics": [{}]}})",
                            json_string(head.attention), head.head,
                            joined(head.metrics, ", ", moments_json));
    }
    return json + "\n ]}\n";
}

constexpr std::chrono::seconds kKeepEvery{10};

Table tallied_table(const std::vector<HeadTally>& heads, const std::vector<std::string>& names) {
    std::vector<std::string> attentions, metrics;
    std::vector<double> numbers, texts, mean, deviation, lowest, highest;
    for (const HeadTally& head : heads)
        for (std::size_t m = 0; m < names.size(); ++m) {
            const Moments& moments = head.metrics[m];
            constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
            const auto number = [&](double of) { return moments.n > 0 ? of : kNone; };
            attentions.push_back(head.attention);
            numbers.push_back(head.head);
            metrics.push_back(names[m]);
            texts.push_back(static_cast<double>(moments.n));
            mean.push_back(number(moments.mean));
            deviation.push_back(moments.deviation());
            lowest.push_back(number(moments.low));
            highest.push_back(number(moments.high));
        }
    return {"heads",
            "metrics of the heads over texts",
            {{"attention", std::move(attentions)},
             {"head", std::move(numbers)},
             {"metric", std::move(metrics)},
             {"texts", std::move(texts)},
             {"mean", std::move(mean)},
             {"deviation", std::move(deviation)},
             {"lowest", std::move(lowest)},
             {"highest", std::move(highest)}},
            3};
}

class Tallying {
  public:
    Tallying(const TallyHeads& options, const Streams& streams)
        : options_(options),
          streams_(streams),
          document_(open_for_numbers(options.study, options.changes, streams)) {
        if (document_.recorded() && options.corpus)
            throw Error(path_text(options.study),
                        "is a recording, which has texts of its own: leave the corpus out");
        if (!document_.sentence() && !document_.recorded())
            throw Error(path_text(options.study), "is no sentence, whose text a corpus could be");
        for (const std::string& metric : options.metrics)
            measures_.push_back(read_head_measure(metric, "--metric"));
        without_number_.resize(measures_.size());
        counted_.question = checksum(write_study(document_));
        counted_.own = options.metrics, counted_.without_first = options.without_first;
        counted_.joins_pieces = options.joins_pieces;
        names_ = measured_metric_names();
        for (const HeadMeasure& measure : measures_) {
            if (is_among(measure.name, names_))
                throw Error("--metric",
                            "there is a metric '{}' already; give this one another name",
                            measure.name);
            names_.push_back(measure.name);
        }
        if (document_.sentence()) lines_ = open_texts();
        if (options.output && options.corpus) part_ = KeptCount(*options.output);
    }

    void run() {
        check_table_output(options_.output, {.json = options_.json});
        if (options_.output) check_is_no_input(*options_.output, {{options_.study, source_name()}});
        go_on();
        leave_out_cells();
        lines_ ? count_lines() : count_recorded();
        write_notes(streams_, "left out: ", left_out_);
        if (counted_.n_texts == 0)
            throw Error(path_text(source_name()), "has no text that could be counted");
        write_note(streams_,
                   counted(counted_.n_texts, "text") +
                       (counted_.n_left_out > 0 ? fmt::format(", {} left out", counted_.n_left_out)
                                                : std::string()));
        if (counted_.heads.empty())
            throw Error(path_text(options_.study), "has no heads that could be counted");
        note_missing();
        note_without_number();
        write_table(tallied_table(counted_.heads, names_), options_.output, streams_,
                    {.json = options_.json});
        if (!options_.output) return;
        is_complete_ ? part_.remove() : keep();
    }

  private:
    MetricRows rows() const {
        return options_.without_first ? MetricRows::WithoutFirst : MetricRows::All;
    }

    const std::string& source_name() const {
        return options_.corpus ? *options_.corpus : options_.study;
    }

    std::unique_ptr<std::istream> open_texts() const {
        if (!options_.corpus)
            return std::make_unique<std::istringstream>(document_.sentence()->text);
        auto file = std::make_unique<std::ifstream>(*options_.corpus, std::ios::binary);
        if (std::filesystem::is_directory(*options_.corpus) || !*file)
            throw Error(path_text(*options_.corpus), "cannot be read");
        return file;
    }

    /// Goes on from where the last call stopped.
    void go_on() {
        const std::optional<std::string> kept = part_.read(streams_);
        if (!kept) return;
        Counted before;
        try {
            const std::string name = path_text(part_.file());
            const JsonSource source{name, parse_json(*kept, name)};
            const JsonView root(source);
            before = read_question(root);
            read_heads(root, before);
        } catch (const Error& error) {
            return part_.set_aside(fmt::format("is no count: {}", error.without_name()), streams_);
        }
        if (!has_read_lines_of(before)) {
            lines_ = open_texts();
            return part_.set_aside("was counted of another study or corpus", streams_);
        }
        check_same_options(part_.file(), before, counted_);
        counted_ = before;
        write_note(streams_, fmt::format("goes on after line {}, with {} counted before",
                                         before.n_lines, counted(before.n_texts, "text")));
    }

    /// Reads as many lines as were counted; true if they and the study are the same.
    bool has_read_lines_of(const Counted& before) {
        if (before.question != counted_.question) return false;
        Counted now;
        std::string line;
        while (now.n_lines < before.n_lines && std::getline(*lines_, line)) now.take(line);
        return before.read == now.read && before.n_lines == now.n_lines;
    }

    /// Leaves out pins: each stands in a cell of the study's own text; no cell of another text is
    /// the same.
    void leave_out_cells() {
        const SentenceStudy* sentence = document_.sentence();
        const bool is_own =
            !options_.corpus && sentence && sentence->text.find('\n') == std::string::npos;
        if (!sentence || is_own) return;
        const std::vector<std::string> paths = reset_cells_of_words(document_);
        if (!paths.empty())
            write_note(streams_, "set by hand in cells of the study's own text, and left out: " +
                                     list_few(paths));
    }

    bool has_enough() const { return options_.n_texts > 0 && counted_.n_texts >= options_.n_texts; }

    void count_lines() {
        ProgressLine shown(streams_.terminal);
        shown.progress().begin(
            options_.corpus ? static_cast<double>(std::filesystem::file_size(*options_.corpus))
                            : static_cast<double>(document_.sentence()->text.size()));
        std::string line;
        auto kept_at = std::chrono::steady_clock::now();
        while (!has_enough() && std::getline(*lines_, line)) {
            shown.progress().enter(fmt::format("line {}", counted_.n_lines + 1));
            counted_.take(line);
            if (!line.empty() && line.back() == '\r') line.pop_back();
            if (line.find_first_not_of(" \t") != std::string::npos) count(line);
            shown.progress().advance(static_cast<double>(line.size() + 1));
            if (is_interrupted_) stop();
            const auto now = std::chrono::steady_clock::now();
            if (now - kept_at < kKeepEvery) continue;
            keep();
            kept_at = now;
        }
        is_complete_ = !has_enough() || lines_->peek() == std::ifstream::traits_type::eof();
    }

    /// Counts each text of a recording.
    void count_recorded() {
        const int n = document_.recorded()->count_texts();
        ProgressLine shown(streams_.terminal);
        shown.progress().begin(n);
        for (int k = 0; k < n && !has_enough(); ++k) {
            shown.progress().enter(fmt::format("text {}", k + 1));
            ++counted_.n_lines;
            Document document = document_;
            if (n > 1) choose_recorded_text(document, k);
            count(document);
            shown.progress().advance(1);
            if (is_interrupted_) stop();
        }
        is_complete_ = true;
    }

    /// Throws Error that says what is kept.
    void stop() const {
        keep();
        const bool is_kept = part_.keeps() && counted_.n_texts > 0;
        throw Error(
            "heads", "interrupted after {}{}", place(),
            is_kept
                ? fmt::format(
                      "; what was counted is kept in {}, and the same command goes on from there",
                      path_text(part_.file()))
                : "; nothing is kept: that needs a file of texts and -o");
    }

    /// Returns "line 7", "text 7".
    std::string place() const {
        return (lines_ ? "line " : "text ") + std::to_string(counted_.n_lines);
    }

    void count(const std::string& text) {
        Document document = document_;
        try {
            set_text(document, text);
        } catch (const Error& error) {
            return leave_out(error);
        }
        count(document);
    }

    void leave_out(const Error& error) {
        ++counted_.n_left_out;
        left_out_.push_back(fmt::format("{}: {}", place(), error.what()));
    }

    void count(const Document& document) {
        if (!options_.joins_pieces) return measure(document);
        std::optional<Document> words;
        try {
            words = join_pieces(document, WithoutPieces::Allowed);
        } catch (const Error& error) {
            return leave_out(error);
        }
        measure(*words);
    }

    /// Measures the text. Throws Error for a metric that would be measured on no text.
    void measure(const Document& document) {
        Watched watched{.everything = false, .globs = {"*.metrics"}};
        std::shared_ptr<const Plan> planned;
        try {
            if (!measures_.empty()) planned = plan(document);
        } catch (const Error& error) {
            return leave_out(error);
        }
        const Components components = planned ? make_components(*planned) : Components();
        for (const HeadMeasure& measure : measures_) check_names(measure, *planned, components);
        for (const HeadMeasure& measure : measures_)
            for (std::string& path : measured_paths(measure, *planned, components))
                watched.globs.push_back(std::move(path));
        try {
            before_ =
                evaluate(document, before_ ? &*before_ : nullptr, watched, workers_.for_each());
            const std::vector<std::string> unmeasured = add_text(counted_.heads, *before_, rows());
            note_unmeasured(unmeasured);
        } catch (const Error& error) {
            return leave_out(error);
        }
        for (std::size_t m = 0; m < measures_.size(); ++m)
            add_own({*before_, components, {}, 0, &document}, m);
        ++counted_.n_texts;
    }

    /// Notes heads that are not measured. Throws Error if no head of the text is.
    void note_unmeasured(const std::vector<std::string>& patterns) {
        if (patterns.empty()) return;
        const auto n = std::ssize(patterns), of = std::ssize(counted_.heads);
        if (n == of) throw Error("heads", "all its patterns have NaN or infinity");
        unmeasured_.push_back(
            fmt::format("{}: does not count for {} of {}, whose patterns have NaN or infinity: {}",
                        place(), n, counted(of, "head"), list_few(patterns)));
    }

    /// Returns how many texts count for the metric of the head that most of them count for.
    long most_texts(std::size_t metric) const {
        long n = 0;
        for (const HeadTally& head : counted_.heads) n = std::max(n, head.metrics[metric].n);
        return n;
    }

    /// Notes metrics that are not measured on every text.
    void note_missing() const {
        write_notes(streams_, "", unmeasured_);
        for (std::size_t at = 0; at < head_metric_names().size(); ++at) {
            const std::string without = texts_without(static_cast<HeadMetric>(at), rows());
            const long n = most_texts(at);
            if (without.empty() || n == counted_.n_texts) continue;
            write_note(streams_, fmt::format("{} counts {} of {}: not those {}{}", names_[at], n,
                                             counted(counted_.n_texts, "text"), without,
                                             unmeasured_.empty() ? "" : ", or with NaN"));
        }
    }

    /// Notes, for each own metric, the texts that have no number for it.
    void note_without_number() const {
        for (std::size_t m = 0; m < measures_.size(); ++m) {
            const std::vector<std::string>& texts = without_number_[m];
            const std::size_t at = measured_metric_names().size() + m;
            if (most_texts(at) > 0)
                write_notes(streams_, "no number: ", texts);
            else
                write_note(streams_, "no number for any text, its cells are empty: " +
                                         (texts.empty() ? measures_[m].name : texts.front()));
        }
    }

    /// Adds the m-th own metric of every head. A text does not count for heads that have no number.
    void add_own(MeasuredHead of, std::size_t m) {
        const std::size_t at = measured_metric_names().size() + m;
        std::string refusal, why;
        long n_without = 0;
        for (HeadTally& head : counted_.heads) {
            head.metrics.resize(names_.size());
            of.attention = head.attention, of.head = head.head;
            try {
                if (head.metrics[at].n == 0) refusal = why_no_metric(measures_[m], of);
                if (refusal.empty()) head.metrics[at].add(measure_head(measures_[m], of));
            } catch (const Error& error) {
                if (n_without++ == 0) why = error.what();
            }
            if (!refusal.empty()) throw Error("--metric", refusal);
        }
        if (n_without == 0) return;
        const bool is_of_all = n_without == std::ssize(counted_.heads);
        without_number_[m].push_back(fmt::format(
            "{} of {}: {}{}", measures_[m].name, place(),
            is_of_all
                ? ""
                : fmt::format("{} of {}: ", n_without, counted(std::ssize(counted_.heads), "head")),
            why));
    }

    void keep() const {
        if (part_.keeps() && counted_.n_texts > 0) part_.write(write_counted(counted_));
    }

    std::atomic<bool> is_interrupted_ = false;
    SignalWatcher signals_{[this] { is_interrupted_ = true; }};  // before all threads
    const TallyHeads& options_;
    const Streams& streams_;
    Document document_;
    std::vector<HeadMeasure> measures_;
    std::vector<std::string> names_;  // of all metrics
    std::unique_ptr<std::istream> lines_;
    KeptCount part_;
    Counted counted_;
    std::optional<Trace> before_;
    std::vector<std::string> left_out_;
    std::vector<std::string> unmeasured_;  // texts that do not count for some heads, and why
    std::vector<std::vector<std::string>> without_number_;  // of each own metric
    Workers workers_{count_spare_threads()};
    bool is_complete_ = false;
};

}  // namespace

void tally_heads(const TallyHeads& options, const Streams& streams) {
    Tallying(options, streams).run();
}

}  // namespace headlight
