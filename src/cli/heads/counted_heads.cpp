#include "cli/heads/counted_heads.h"

#include <utility>

#include "cli/output/kept_moments.h"
#include "core/error.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"

namespace headlight {
namespace {

/// What a count that was kept was asked for.
Counted read_question(const JsonView& root) {
    Counted counted;
    counted.question = checksum_in(root.at("question"));
    root.at("metrics").for_each_element(
        [&](const JsonView& metric) { counted.own.push_back(metric.text()); });
    counted.without_first = root.at("without_first").flag();
    return counted;
}

void read_heads(const JsonView& root, std::size_t n_metrics, Counted& counted) {
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

}  // namespace

void Counted::take(const std::string& line) {
    read = checksum(checksum_text(read) + line);
    ++n_lines;
}

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

Counted read_counted(const std::filesystem::path& file, std::size_t n_metrics, const Counted& now) {
    const JsonSource source{path_text(file), parse_json(read_file(file), path_text(file))};
    const JsonView root(source);
    Counted before = read_question(root);
    check_same_options(file, before, now);
    read_heads(root, n_metrics, before);
    return before;
}

}  // namespace headlight
