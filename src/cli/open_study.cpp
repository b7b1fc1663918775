#include "cli/open_study.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <utility>

#include "cli/output.h"
#include "core/batch.h"
#include "core/error.h"
#include "io/arrays/recording.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/studies/ready_studies.h"
#include "model/changes.h"
#include "model/weight_origin.h"
#include "model/weights.h"
#include "model/workers.h"
#include "text/strings.h"

namespace headlight {

namespace {

/// The studies and the trace that one process keeps between its commands.
struct Kept {
    struct File {
        std::vector<std::filesystem::file_time_type> stamps;
        OpenedFile opened;
    };
    std::map<std::string, File> files;
    std::optional<Trace> trace;
};
std::unique_ptr<Kept> kept;  // null: every command stands alone

/// Returns when the file, or what a model's folder has at its top, was last written.
std::vector<std::filesystem::file_time_type> stamps_of(const std::filesystem::path& path) {
    std::error_code ignored;
    std::vector<std::filesystem::file_time_type> stamps{
        std::filesystem::last_write_time(path, ignored)};
    if (std::filesystem::is_directory(path, ignored))
        for (const auto& entry : std::filesystem::directory_iterator(path, ignored))
            stamps.push_back(entry.last_write_time(ignored));
    return stamps;
}

OpenedFile open_once(const std::string& file, const OpenOptions& options) {
    if (!kept) return open_document(file, options);
    constexpr std::size_t kMostFiles = 16;
    auto stamps = stamps_of(file);
    const auto before = kept->files.find(file);
    if (before != kept->files.end() && before->second.stamps == stamps)
        return before->second.opened;
    if (kept->files.size() >= kMostFiles) kept->files.clear();
    OpenedFile opened = open_document(file, options);
    kept->files[file] = {std::move(stamps), opened};
    return opened;
}

OpenedFile open_noted(const std::string& file, const Streams& streams, const OpenOptions& options) {
    OpenedFile opened = open_once(file, options);
    if (!opened.notes.empty())
        write_note(streams, fmt::format("{}: {}", path_text(file), opened.notes));
    return opened;
}

/// Notes what is set by hand in the file and changes every number: pins, ablations, edits.
void note_set_by_hand(const Document& document, const std::string& file, const Streams& streams) {
    std::vector<std::string> matrices;
    try {
        matrices = matrices_set_by_hand(document, *plan(document));
    } catch (const Error&) {
        return;  // the evaluation reports it
    }
    if (matrices.empty()) return;
    write_note(streams, fmt::format("{}: {}: {}", path_text(file),
                                    set_by_hand_text(matrices.size()), list_few(matrices)));
}

}  // namespace

Document open_study(const std::string& file, const Streams& streams, const OpenOptions& options) {
    Document document = open_noted(file, streams, options).document;
    if (needs_places(document)) give_places(document);
    return document;
}

OpenedFile open_study_and_view(const std::string& file, const Streams& streams) {
    OpenedFile opened = open_noted(file, streams, {});
    if (needs_places(opened.document)) give_places(opened.document);
    return opened;
}

Document open_for_numbers(const std::string& file, const Streams& streams) {
    Document document = open_noted(file, streams, {}).document;
    note_set_by_hand(document, file, streams);
    return document;
}

Document open_for_numbers(const std::string& file, const Changes& changes, const Streams& streams) {
    Document document = open_for_numbers(file, streams);
    make_changes(document, changes, streams);
    return document;
}

void keep_between_commands() {
    kept = std::make_unique<Kept>();
}

namespace {

Trace evaluate_told(const Document& document, const Watched& watched, std::ostream* terminal) {
    Workers workers(count_spare_threads());
    ProgressLine line(terminal);
    const Trace* before = kept && kept->trace ? &*kept->trace : nullptr;
    Trace trace =
        evaluate(document, before, watched, workers.for_each().followed_by(line.progress()));
    if (kept) kept->trace = trace;
    return trace;
}

/// Notes pinned cells that do not keep their values: their rows have room for nothing else.
std::vector<std::string> scaled_pins(const Trace& trace) {
    std::vector<std::string> notes;
    for (const Tensor& tensor : trace.tensors()) {
        if (tensor.intervention.rows != RowRule::Renormalise || !tensor.value) continue;
        for (const CellValue& cell : tensor.intervention.cells) {
            const bool is_inside =
                cell.row < tensor.rows().size && cell.column < tensor.columns().size;
            if (!is_inside || (*tensor.value)(cell.row, cell.column) == cell.value) continue;
            notes.push_back(
                fmt::format("{}, row {}: the pinned cells leave the others no share of 1; they are "
                            "scaled themselves so that the row sums to 1",
                            tensor.path(), cell.row));
            break;
        }
    }
    return notes;
}

/// Returns "3 computed matrices have NaN; the first is logits, 12 of its 40 cells".
std::string nan_note(const Trace& trace) {
    std::string first;
    Index n_matrices = 0;
    for (const Tensor& tensor : trace.tensors()) {
        const bool may_have_nan =
            tensor.identity().role == Role::Metrics;  // where it is not defined
        if (tensor.is_leaf() || !tensor.value || may_have_nan) continue;
        const Scalar* cells = tensor.value->data();
        const Index n =
            std::count_if(cells, cells + tensor.value->size(), [](Scalar x) { return x != x; });
        if (n == 0 || n_matrices++ > 0) continue;
        first = fmt::format("{}, {} of its {}", tensor.path(), n,
                            counted(tensor.value->size(), "cell"));
    }
    if (n_matrices == 0) return "";
    return fmt::format("{} NaN; the first is {}",
                       counted(n_matrices, "computed matrix has", "computed matrices have"), first);
}

}  // namespace

Trace evaluate_study(const Document& document, const Watched& watched, const Streams& streams) {
    Trace trace = evaluate_told(document, watched, streams.terminal);
    std::vector<std::string> waiting;
    for (const std::string& path : dormant_interventions(trace, document.interventions))
        waiting.push_back(path + " waits: the study has no place for all of it now");
    write_notes(streams, "what was set by hand in ", waiting);
    write_notes(streams, "", scaled_pins(trace));
    if (const RecordedStudy* recorded = document.recorded())
        write_notes(streams, "", faults_of_watched(*recorded, trace, watched));
    if (const std::string nan = nan_note(trace); !nan.empty()) write_note(streams, nan);
    write_notes(streams, "", weight_notes(trace, document.weights, document.seed));
    write_notes(streams, "", training_notes(document));
    return trace;
}

std::optional<Index> take_recorded_text(Document& document, const std::optional<Index>& sentence) {
    if (!sentence || !document.recorded()) return sentence;
    choose_recorded_text(document,
                         static_cast<int>(std::min<Index>(*sentence, kMaxRecordedTexts)) - 1);
    if (needs_places(document)) give_places(document);
    return std::nullopt;
}

std::shared_ptr<const Plan> sentence_page(std::shared_ptr<const Plan> plan,
                                          const std::optional<Index>& sentence) {
    if (!sentence) return plan;
    const Index n = count_sentences(*plan);
    if (*sentence > n)
        throw Error("--sentence", "there is no sentence {}; the study has {}", *sentence, n);
    return plan_of_sentence(plan, *sentence - 1);
}

Trace sentence_page(const Trace& trace, const std::optional<Index>& sentence) {
    return trace_of_sentence(trace, sentence_page(trace.shared_plan(), sentence));
}

void write_notes(const Streams& streams, const std::string& before,
                 std::span<const std::string> notes) {
    constexpr std::size_t kMostNotes = 20;
    for (const std::string& note : notes.first(std::min(notes.size(), kMostNotes)))
        write_note(streams, before + note);
    if (notes.size() > kMostNotes)
        write_note(streams, fmt::format("… and {} more like it", notes.size() - kMostNotes));
}

void write_note(const Streams& streams, std::string_view text) {
    streams.err << "headlight: note: " << text << '\n';
}

TakeNote notes_to(const Streams& streams) {
    return [&streams](const std::string& note) { write_note(streams, note); };
}

}  // namespace headlight
