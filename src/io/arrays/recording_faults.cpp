#include "io/arrays/recording_faults.h"

#include <fmt/format.h>
#include <optional>

#include "core/analyses/pattern_faults.h"
#include "model/changes.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// The most numbers that are checked for oddities when a file is opened.
constexpr std::uint64_t kCheckedNumbers = 4'000'000;

const char* kind_prefix(RecordedKind kind) {
    switch (kind) {
        case RecordedKind::Self:
        case RecordedKind::Edges:
            return "";
        case RecordedKind::Cross:
            return "cross-attention, ";
        case RecordedKind::Source:
            return "source, ";
    }
    return "";
}

/// The notes about patterns. The first few name their patterns.
class FaultNotes {
  public:
    explicit FaultNotes(const RecordedStudy& study) : study_(study) {}

    void add(Index number) {
        const RecordedMatrix matrix = recorded_matrix(study_.attentions, number);
        if (matrix.part != RecordedPart::Pattern) return;
        const RecordedKind kind =
            study_.attentions[static_cast<std::size_t>(matrix.attention)].kind;
        const std::string faults = faults_of(number, kind);
        if (faults.empty() || ++n_faulty_ > kMaxNotes) return;
        notes_.push_back(fmt::format("{}layer {}, head {}: {}", kind_prefix(kind), matrix.layer,
                                     matrix.head, faults));
    }

    std::vector<std::string> take() {
        if (n_faulty_ > kMaxNotes)
            notes_.push_back("the same is true of " + counted(n_faulty_ - kMaxNotes, "more head"));
        return std::move(notes_);
    }

  private:
    std::string faults_of(Index number, RecordedKind kind) {
        if (kind == RecordedKind::Edges) {
            if (!edges_) edges_ = graph_edges(*study_.text.graph);
            Matrix pattern(edges_->size(), 1);
            study_.source->read(number, 0, view(pattern));
            return edge_faults(pattern, *edges_, study_.text.tokens);
        }
        const std::size_t n_tokens = study_.text.tokens.size(),
                          n_source = study_.text.source.size();
        Matrix pattern(static_cast<Index>(kind == RecordedKind::Source ? n_source : n_tokens),
                       static_cast<Index>(kind == RecordedKind::Self ? n_tokens : n_source));
        study_.source->read(number, 0, view(pattern));
        return pattern_faults(pattern, kSumTolerance);
    }

    static constexpr std::size_t kMaxNotes = 3;
    const RecordedStudy& study_;
    std::vector<std::string> notes_;
    std::size_t n_faulty_ = 0;
    std::optional<Edges> edges_;  // of the shown text
};

}  // namespace

bool is_small_recording(std::uint64_t n_cells) {
    return n_cells <= kCheckedNumbers;
}

std::vector<std::string> all_faults(const RecordedStudy& study) {
    FaultNotes faults(study);
    RecordedMatrix matrix{.text = study.text_number};
    for (const RecordedAttention& attention : study.attentions) {
        for (matrix.layer = 0; matrix.layer < attention.n_layers; ++matrix.layer)
            for (matrix.head = 0; matrix.head < attention.heads_in(matrix.layer); ++matrix.head)
                faults.add(recorded_number(study.attentions, matrix));
        ++matrix.attention;
    }
    return faults.take();
}

std::vector<std::string> faults_of_watched(const RecordedStudy& study, const Trace& trace,
                                           const Watched& watched) {
    if (!study.source || study.is_looked_through) return {};
    const std::vector<Tensor>& tensors = trace.tensors();
    std::vector<bool> is_read(tensors.size());
    for (TensorId id = tensors.size(); id-- > 0;) {
        if (watched.contains(tensors[id].path())) is_read[id] = true;
        if (is_read[id])
            for (const TensorId input : tensors[id].inputs()) is_read[input] = true;
    }
    FaultNotes faults(study);
    for (TensorId id = 0; id < tensors.size(); ++id)
        if (is_read[id] && tensors[id].settings().source == study.source)
            faults.add(tensors[id].settings().begin);
    return faults.take();
}

}  // namespace headlight
