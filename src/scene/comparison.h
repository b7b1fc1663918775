// Comparison: the other thing, B, with which A, the study in the window, is compared. It is never
// saved, never undone.
//
// Goals: another sentence, head, state or study is one thing, B; both sides stay live. Not goals:
// pictures of the two (scene/figures/compared_sides.h).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/analyses/difference.h"
#include "core/trace.h"
#include "model/changes.h"
#include "model/document.h"
#include "scene/selection.h"

namespace headlight {

class Session;
struct Watched;
struct Workspace;

/// The kinds of B follow.
struct OtherSentence {
    int sentence = 0;
};
struct OtherHead {
    std::string attention;  // path of the part
    int head = 0;
};
struct OtherStudy {
    enum class From {
        Itself,    // `document`
        LastStep,  // A before its last step
        LastSave,  // A as it was opened or saved
        Settings,  // the network of `document`, for what A is about: its settings, and its weights
                   // without A's edits, if it has weights
    } from = From::Itself;
    std::string name = {};
    Document document = {};
    std::string name_a = "now";
    bool is_named_by_words = false;       // by those in which the texts differ, if they are few
    std::optional<std::size_t> tab = {};  // the number of the open study that it is
    std::filesystem::path file = {};      // its file, absolute; empty: from none
    std::function<void(Document&)> change = {};  // from Itself: makes B of A as it is now
};
using Other = std::variant<OtherSentence, OtherHead, OtherStudy>;

/// One thing that can be B, beside A.
struct ComparisonChoice {
    enum class Kind { State, Sentence, Head, Tab, Settings, Study } kind;
    std::string name, what;  // "head 3"; in a few words
    Other other;
};
std::vector<ComparisonChoice> comparison_choices(const Workspace& a);

/// Returns the study in which that text takes the place of its own, of its sentences, or of that
/// side of an alignment. It follows every other change of the study.
OtherStudy other_text(const std::string& text);
OtherStudy other_text(Side side, const std::string& text);

/// A text of the study that can be another one in B. Where B already has another text, `text` is
/// that one.
struct ComparedText {
    const char* name;  // "Another text", "Another source"
    std::string text;
    std::function<OtherStudy(const std::string& text)> other;
};
std::vector<ComparedText> compared_texts(const Workspace& a);

/// Returns another text of a recording, counted from 0. Throws Error if there is none.
OtherStudy other_recorded_text(const Document& a, int number);

/// The chosen tensor of A beside that of B.
struct ComparedTensor {
    const Tensor* a = nullptr;
    const Tensor* b = nullptr;  // with values; null: `problem` says why there is none
    std::string problem;        // also why the two have no difference
    MatchedValues matched;      // of B, in A's places; without values where there is no difference
    std::optional<Difference> difference;
    std::optional<RowDistances> rows;  // of probabilities
    Tensor tensor;                     // A − B
    MatrixPtr extremes;                // the lowest and highest values of both, for one scale
};

/// Returns the path of the same tensor in another head; the path itself where all heads share the
/// tensor.
std::string path_of_other(const Tensor& tensor, const Component& attention, int head);

class Comparison {
  public:
    enum class Show { Both, All, Difference };  // A | B, A | B | A − B, A − B
    Show show = Show::All;

    /// `wake` is called from another thread when B is ready.
    explicit Comparison(std::function<void()> wake);
    ~Comparison();

    void start(Other other);
    void stop();
    /// Takes over the present state of B, which is a study in another tab.
    void follow_tab(const Document& document, const std::string& name);
    bool is_on() const { return other_.has_value(); }
    /// Returns B if it is of that kind; null if it is of another, or nothing is compared.
    template <typename Kind>
    const Kind* other() const {
        return other_ ? std::get_if<Kind>(&*other_) : nullptr;
    }

    /// Follows A once a frame, after A was evaluated. `watched` lists what is looked at in A.
    void follow(const Workspace& a, const Watched& watched);
    bool is_busy() const;
    void wait();
    /// Where B is a study of its own, limits its later changes to what bounds_of_changes() of its
    /// present state allows.
    void bound_changes();

    /// "head 0", "now"; "head 3", "before “Set heads to 4”".
    const std::string& name_a() const { return name_a_; }
    const std::string& name_b() const { return name_b_; }

    /// Returns B's path for the tensor that has this path in A; the same path while B has no trace.
    std::string path_in_b(const std::string& path) const;
    /// The page, parts and document of B. There is no trace while B has none.
    const TracePtr& trace() const { return page_; }
    const Components& components() const { return components_; }
    const Document* document() const { return document_; }
    /// Returns B's tensor for that of A; null if it has none with values.
    const Tensor* find(const std::string& path) const;
    const ComparedTensor& chosen() const { return chosen_; }

  private:
    bool is_of_all_heads(const std::string& path) const;
    void follow_sentence(const OtherSentence& sentence, const Workspace& a);
    void follow_head(OtherHead& head, const Workspace& a);
    const Document* follow_changed(const OtherStudy& study, const Workspace& a);
    void follow_study(const OtherStudy& study, const Workspace& a, const Watched& watched);
    void turn_page(const TracePtr& whole, int sentence);
    void compare(const Workspace& a);

    std::function<void()> wake_;
    std::optional<Other> other_;
    std::unique_ptr<Session> session_;  // of another study
    TracePtr whole_, page_;
    int sentence_ = 0;
    Components components_;
    const Document* document_ = nullptr;
    std::string name_a_, name_b_, problem_;
    ComparedTensor chosen_;
    std::shared_ptr<const Document> changed_of_;  // A, of which B is a changed copy …
    Document changed_;                            // … this one
    std::pair<MatrixPtr, MatrixPtr> compared_;    // the difference is of these …
    std::string compared_path_;                   // … and of this tensor
};

}  // namespace headlight
