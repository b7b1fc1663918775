#include "io/studies/document_change.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/models/open_model.h"
#include "io/open_document.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Shorter texts are written whole, so that they can be read even if the earlier text is lost.
constexpr std::size_t kShort_bytes = 64 << 10;

std::string study_text(const Document& document) {
    return write_study({.study = document.study, .seed = document.seed, .interventions = {}});
}

bool is_inside_character(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

/// Writes a text, or only the middle that replaces that of the earlier text.
std::string write_text(std::string_view before, std::string_view after,
                       std::size_t whole_below_bytes = kShort_bytes) {
    if (before.empty() || after.size() < whole_below_bytes) return json_string(after);
    auto start =
        static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
    while (start > 0 && is_inside_character(after, start)) --start;
    const std::string_view old_rest = before.substr(start), rest = after.substr(start);
    const auto same = std::mismatch(rest.rbegin(), rest.rend(), old_rest.rbegin(), old_rest.rend());
    auto end = static_cast<std::size_t>(rest.rend() - same.first);
    while (is_inside_character(rest, end)) ++end;
    return fmt::format(R"({{"of": "{}", "start": {}, "end": {}, "text": {}}})",
                       checksum_text(checksum(before)), start, rest.size() - end,
                       json_string(rest.substr(0, end)));
}

std::string read_text(const std::string& before, const JsonView& text) {
    if (text.is_text()) return text.text();
    text.expect_keys({"of", "start", "end", "text"});
    if (text.at("of").text() != checksum_text(checksum(before)))
        text.fail("is a change of another text");
    const auto n_bytes = static_cast<std::int64_t>(before.size());
    const auto start = static_cast<std::size_t>(text.at("start").integer(0, n_bytes));
    const auto end = static_cast<std::size_t>(text.at("end").integer(0, n_bytes));
    if (start + end > before.size()) text.fail("keeps more than there was");
    return before.substr(0, start) + text.at("text").text() + before.substr(before.size() - end);
}

const Intervention* find_intervention(const Document* document, const std::string& path) {
    if (!document) return nullptr;
    const auto it = document->interventions.find(path);
    return it == document->interventions.end() ? nullptr : &it->second;
}

/// Opens the files that the document names. The work is not lost with them: a recording or a
/// picture that is not open says so where it is shown.
void open_if_there(Document& document) {
    try {
        open_named_files(document, {});
    } catch (const Error&) {
        if (RecordedStudy* recorded = document.recorded()) recorded->source = nullptr;
    }
}

std::string write_edits(const Document* before, const Document& after) {
    std::string members;
    const auto add = [&](const std::string& path, const std::string& json) {
        append_part(members, ", ", fmt::format("{}: {}", json_string(path), json));
    };
    for (const auto& [path, intervention] : after.interventions) {
        const Intervention* old = find_intervention(before, path);
        if (old && *old == intervention) continue;
        const bool is_long = intervention.cells.size() * 4 > kShort_bytes;
        add(path, write_text(old && is_long ? write_edit(*old) : "", write_edit(intervention)));
    }
    if (before)
        for (const auto& [path, intervention] : before->interventions)
            if (!after.interventions.contains(path)) add(path, "false");
    return "{" + members + "}";
}

std::string weights_text(const SharedWeights& weights) {
    if (!weights) return "false";
    return fmt::format(
        R"({{"checksum": "{}", "origin": {}, "file": {}, "inside": {}, "model": {}}})",
        checksum_text(weights->checksum), json_string(weights->origin), json_string(weights->file),
        weights->is_inside ? "true" : "false", weights->is_model ? "true" : "false");
}

/// Returns the weights of a model; null if its folder is gone or changed: then, as with a
/// recording, they are not open.
SharedWeights find_model(const std::string& folder, std::uint64_t checksum) {
    try {
        return read_model_weights(folder, checksum);
    } catch (const Error&) {
        return nullptr;
    }
}

SharedWeights weights_from(const JsonView& object, const FindWeights& find) {
    if (!object.is_object()) return nullptr;
    object.expect_keys({"checksum", "origin", "file", "inside", "model"});
    const JsonView digits = object.at("checksum");
    const auto sum = parse_checksum(digits.text());
    if (!sum) digits.fail("is no checksum");
    const auto model = object.find("model");
    const bool is_model = model && model->flag();
    const std::string file = object.at("file").text();
    const SharedWeights found = is_model ? find_model(file, *sum) : find ? find(*sum) : nullptr;
    Weights weights = found ? *found : Weights{.origin = object.at("origin").text()};
    weights.checksum = *sum;
    weights.file = file;
    weights.is_model = is_model;
    weights.is_inside = object.at("inside").flag();
    if (!found)
        weights.problem = fmt::format("the weights, {}, are not there any more", weights.origin);
    return std::make_shared<const Weights>(std::move(weights));
}

}  // namespace

std::string write_change(const Document* before, const Document& after) {
    std::string text = "{\"edits\": " + write_edits(before, after);
    const bool is_same = before && before->seed == after.seed && before->study == after.study;
    if (!are_same(before ? before->weights : nullptr, after.weights))
        text += ", \"weights\": " + weights_text(after.weights);
    if (!is_same)
        text += ", \"study\": " + write_text(before ? study_text(*before) : "", study_text(after));
    return text + "}";
}

std::string write_change(const std::string* before, const std::string& after) {
    constexpr std::size_t kWholeBelow_bytes = 256;  // about what a change of one letter takes
    return write_text(before ? *before : "", after, kWholeBelow_bytes);
}

std::string read_change(const std::string* before, const JsonView& change, const FindWeights&) {
    return read_text(before ? *before : "", change);
}

Document read_change(const Document* before, const JsonView& change, const FindWeights& find) {
    change.expect_keys({"edits", "weights", "study"});
    Document after = before ? *before : Document{};
    if (const auto weights = change.find("weights")) after.weights = weights_from(*weights, find);
    if (const auto study = change.find("study")) {
        const std::string text = read_text(before ? study_text(*before) : "", *study);
        Document read = read_study(text, "a study in the journal");
        open_if_there(read);
        after.study = std::move(read.study);
        after.seed = read.seed;
    } else if (!before) {
        change.fail("has no study");
    }
    change.at("edits").for_each_member([&](const std::string& path, const JsonView& edit) {
        if (!edit.is_text() && !edit.is_object()) {
            after.interventions.erase(path);
            return;
        }
        const Intervention* old = edit.is_object() ? find_intervention(before, path) : nullptr;
        const std::string text = read_text(old ? write_edit(*old) : "", edit);
        after.interventions[path] = read_edit(text, "an edit in the journal");
    });
    return after;
}

}  // namespace headlight
