#include "cli/heads_command.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "app/signal_watcher.h"
#include "cli/open_study.h"
#include "cli/output/csv_cell.h"
#include "cli/output/kept_moments.h"
#include "cli/output/progress_line.h"
#include "core/analyses/head_tally.h"
#include "core/error.h"
#include "expression/head_measure.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "model/changes.h"
#include "model/workers.h"

namespace headlight {
namespace {

constexpr std::chrono::seconds kKeepEvery{10};

/// What was counted, and of what.
struct Counted {
    std::uint64_t question = 0;    // the study
    std::vector<std::string> own;  // --metric
    bool without_first = false;
    std::uint64_t read = 0;  // the lines so far
    long n_lines = 0, n_texts = 0, n_left_out = 0;
    std::vector<HeadTally> heads;

    void take(const std::string& line) {
        read = checksum(checksum_text(read) + line);
        ++n_lines;
    }
};

std::string write_counted(const Counted& counted) {
    std::string json =
        "{\"question\": \"" + checksum_text(counted.question) + "\",\n \"metrics\": [";
    for (const std::string& metric : counted.own)
        json += (&metric == &counted.own.front() ? "" : ", ") + json_string(metric);
    json += std::string("], \"without_first\": ") + (counted.without_first ? "true" : "false") +
            ",\n \"read\": \"" + checksum_text(counted.read) +
            "\",\n \"lines\": " + std::to_string(counted.n_lines) +
            ", \"texts\": " + std::to_string(counted.n_texts) +
            ", \"left_out\": " + std::to_string(counted.n_left_out) + ",\n \"heads\": [";
    for (const HeadTally& head : counted.heads) {
        json += &head == &counted.heads.front() ? "\n" : ",\n";
        json += "  {\"attention\": " + json_string(head.attention) +
                ", \"head\": " + std::to_string(head.head) + ", \"metrics\": [";
        for (std::size_t m = 0; m < head.metrics.size(); ++m)
            json += (m > 0 ? ", " : "") + moments_json(head.metrics[m]);
        json += "]}";
    }
    return json + "\n ]}\n";
}

/// What a count that was kept was asked for.
Counted read_question(const JsonView& root) {
    Counted counted;
    counted.question = checksum_in(root.at("question"));
    root.at("metrics").for_each_element(
        [&](const JsonView& metric) { counted.own.push_back(metric.text()); });
    counted.without_first = root.at("without_first").flag();
    return counted;
}

void read_counted(const JsonView& root, std::size_t n_metrics, Counted& counted) {
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

/// Throws Error, naming the option, if what was kept was asked for by other ones.
void check_same_options(const std::filesystem::path& part, const Counted& before,
                        const Counted& now) {
    const std::string otherwise = "; give the same, or remove it to begin anew";
    if (before.without_first != now.without_first)
        throw Error(path_text(part), std::string("was counted with") +
                                         (before.without_first ? "" : "out") + " --without-first" +
                                         otherwise);
    if (before.own == now.own) return;
    std::string given;
    for (const std::string& metric : before.own) given += " --metric '" + metric + "'";
    throw Error(path_text(part),
                "was counted with" + (given.empty() ? "out --metric" : given) + otherwise);
}

std::string write_csv(const std::vector<HeadTally>& heads, const std::vector<std::string>& names) {
    std::string csv = "attention,head,metric,texts,mean,deviation,lowest,highest\n";
    for (const HeadTally& head : heads)
        for (std::size_t m = 0; m < names.size(); ++m) {
            const Moments& moments = head.metrics[m];
            if (moments.n == 0) continue;
            csv += head.attention + "," + std::to_string(head.head) + "," + csv_cell(names[m]) +
                   "," + std::to_string(moments.n);
            for (const double number :
                 {moments.mean, moments.deviation(), moments.low, moments.high})
                csv += "," + number_text(static_cast<float>(number));
            csv += '\n';
        }
    return csv;
}

class Tallying {
  public:
    Tallying(const TallyHeads& options, const Streams& streams)
        : options_(options),
          streams_(streams),
          document_(open_for_numbers(options.study, streams)) {
        if (!document_.sentence())
            throw Error(path_text(options.study), "is no sentence, whose text a corpus could be");
        for (const std::string& metric : options.metrics)
            measures_.push_back(read_head_measure(metric, "--metric"));
        first_reasons_.resize(measures_.size());
        counted_.question = checksum(write_study(document_));
        counted_.own = options.metrics, counted_.without_first = options.without_first;
        names_ = tallied_metrics();
        for (const HeadMeasure& measure : measures_) {
            if (std::ranges::find(names_, measure.name) != names_.end())
                throw Error("--metric", "there is a metric '" + measure.name +
                                            "' already; give this one another name");
            names_.push_back(measure.name);
        }
        lines_ = open_texts();
        if (options.output && options.corpus) part_ = *options.output + ".part";
    }

    void run() {
        if (options_.output) check_is_csv_name(*options_.output);
        if (options_.output) check_is_no_input(*options_.output, {{options_.study, source_name()}});
        go_on();
        count_lines();
        write_notes(streams_, "left out: ", left_out_);
        if (counted_.n_texts == 0)
            throw Error(path_text(source_name()), "has no text that could be counted");
        write_note(streams_, std::to_string(counted_.n_texts) + " texts" +
                                 (counted_.n_left_out > 0
                                      ? ", " + std::to_string(counted_.n_left_out) + " left out"
                                      : std::string()));
        check_own_metrics();
        note_missing();
        write_notes(streams_, "no number: ", without_number_);
        const std::string csv = write_csv(counted_.heads, names_);
        if (!options_.output) {
            streams_.out << csv;
            return;
        }
        write_file(*options_.output, csv);
        is_complete_ ? static_cast<void>(std::filesystem::remove(part_)) : keep();
    }

  private:
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

    double size_bytes() const {
        return options_.corpus ? static_cast<double>(std::filesystem::file_size(*options_.corpus))
                               : static_cast<double>(document_.sentence()->text.size());
    }

    /// From where the last call stopped.
    void go_on() {
        if (part_.empty() || !std::filesystem::exists(part_)) return;
        const JsonSource source{path_text(part_), parse_json(read_file(part_), path_text(part_))};
        const JsonView root(source);
        Counted before = read_question(root);
        check_same_options(part_, before, counted_);
        read_counted(root, names_.size(), before);
        Counted now;
        std::string line;
        while (now.n_lines < before.n_lines && std::getline(*lines_, line)) now.take(line);
        if (before.question != counted_.question || before.read != now.read ||
            before.n_lines != now.n_lines)
            throw Error(path_text(part_),
                        "was counted of another study or corpus; remove it to begin anew");
        counted_ = before;
        write_note(streams_, "goes on behind line " + std::to_string(before.n_lines) + ", with " +
                                 std::to_string(before.n_texts) + " texts counted before");
    }

    bool has_enough() const { return options_.n_texts > 0 && counted_.n_texts >= options_.n_texts; }

    void count_lines() {
        ProgressLine shown(streams_.terminal);
        shown.progress().begin(size_bytes());
        std::string line;
        auto kept_at = std::chrono::steady_clock::now();
        while (!has_enough() && std::getline(*lines_, line)) {
            shown.progress().enter("line " + std::to_string(counted_.n_lines + 1));
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

    /// Throws Error that says what is kept.
    void stop() const {
        keep();
        const bool is_kept = !part_.empty() && counted_.n_texts > 0;
        throw Error("heads",
                    "interrupted behind line " + std::to_string(counted_.n_lines) +
                        (is_kept ? "; what was counted is kept in " + path_text(part_) +
                                       ", and the same command goes on from there"
                                 : "; nothing is kept: that needs a file of texts and -o"));
    }

    void count(const std::string& text) {
        try {
            Document document = document_;
            set_text(document, text);
            Watched watched{.everything = false, .globs = {"*.metrics"}};
            const auto planned = measures_.empty() ? nullptr : plan(document);
            const Components components = planned ? make_components(*planned) : Components();
            for (const HeadMeasure& measure : measures_)
                for (std::string& path : measured_paths(measure, *planned, components))
                    watched.globs.push_back(std::move(path));
            before_ =
                evaluate(document, before_ ? &*before_ : nullptr, watched, workers_.for_each());
            add_text(counted_.heads, *before_, options_.without_first);
            for (std::size_t m = 0; m < measures_.size(); ++m)
                add_own({*before_, components, {}, 0, &document}, m);
            ++counted_.n_texts;
        } catch (const Error& error) {
            ++counted_.n_left_out;
            left_out_.push_back("line " + std::to_string(counted_.n_lines) + ": " + error.what());
        }
    }

    /// Of the metrics that are not measured on every text.
    void note_missing() const {
        constexpr HeadMetric kOfPlaces[] = {HeadMetric::Previous, HeadMetric::Next,
                                            HeadMetric::First, HeadMetric::Duplicate};
        for (const HeadMetric metric : kOfPlaces) {
            const auto at = static_cast<std::size_t>(metric);
            const long n = counted_.heads.front().metrics[at].n;
            if (n == counted_.n_texts) continue;
            const bool is_duplicate = metric == HeadMetric::Duplicate;
            write_note(streams_, names_[at] + " counts " + std::to_string(n) + " of " +
                                     std::to_string(counted_.n_texts) + " texts: the others " +
                                     (is_duplicate ? "repeat no word" : "have one token"));
        }
    }

    /// Throws Error if one of them has no number at all.
    void check_own_metrics() const {
        for (std::size_t m = 0; m < measures_.size(); ++m) {
            const std::size_t at = tallied_metrics().size() + m;
            if (counted_.heads.front().metrics[at].n == 0)
                throw Error("--metric",
                            measures_[m].name + " has a number for no text: " + first_reasons_[m]);
        }
    }

    /// The m-th own metric of every head. A text that has no number for it does not count.
    void add_own(MeasuredHead of, std::size_t m) {
        const std::size_t at = tallied_metrics().size() + m;
        for (HeadTally& head : counted_.heads) head.metrics.resize(names_.size());
        try {
            for (HeadTally& head : counted_.heads) {
                of.attention = head.attention, of.head = head.head;
                head.metrics[at].add(measure_head(measures_[m], of));
            }
        } catch (const Error& error) {
            if (first_reasons_[m].empty()) first_reasons_[m] = error.what();
            without_number_.push_back(measures_[m].name + " of line " +
                                      std::to_string(counted_.n_lines) + ": " + error.what());
        }
    }

    void keep() const {
        if (!part_.empty() && counted_.n_texts > 0) write_file(part_, write_counted(counted_));
    }

    std::atomic<bool> is_interrupted_ = false;
    SignalWatcher signals_{[this] { is_interrupted_ = true; }};  // before all threads
    const TallyHeads& options_;
    const Streams& streams_;
    Document document_;
    std::vector<HeadMeasure> measures_;
    std::vector<std::string> names_;  // of all metrics
    std::unique_ptr<std::istream> lines_;
    std::filesystem::path part_;  // empty: nothing is kept
    Counted counted_;
    std::optional<Trace> before_;
    std::vector<std::string> left_out_, without_number_;
    std::vector<std::string> first_reasons_;  // of each own metric, why a text has no number
    Workers workers_{count_spare_threads()};
    bool is_complete_ = false;
};

}  // namespace

void tally_heads(const TallyHeads& options, const Streams& streams) {
    Tallying(options, streams).run();
}

}  // namespace headlight
