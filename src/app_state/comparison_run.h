// ComparisonRun: keeps the other thing, B, up to date with A, the study in the window. It is never
// saved, never undone.
//
// Goals: both sides stay live.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/changes.h"
#include "views/comparison.h"

namespace headlight {

class Session;
struct Watched;
struct Workspace;

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

class ComparisonRun {
  public:
    /// `wake` is called from another thread when B is ready.
    explicit ComparisonRun(std::function<void()> wake);
    ~ComparisonRun();

    /// Returns what is compared now.
    const Comparison& now() const { return now_; }
    void show(Comparison::Show show) { now_.show = show; }

    void start(Other other);
    /// Names A and B, where B is a study: "now|before".
    void name(const std::string& names);
    void stop();
    /// Takes over the present state of B, which is a study in another tab.
    void follow_tab(const Document& document, const std::string& name);

    /// Follows A once a frame, after A was evaluated. `watched` lists what is looked at in A.
    void follow(const Workspace& a, const Watched& watched);
    bool is_busy() const;
    void wait();
    /// Where B is a study of its own, limits its later changes to what bounds_of_changes() of its
    /// present state allows.
    void bound_changes();

  private:
    void follow_sentence(const OtherSentence& sentence, const Workspace& a);
    void follow_head(OtherHead& head, const Workspace& a);
    const Document* follow_changed(const OtherStudy& study, const Workspace& a);
    void follow_study(const OtherStudy& study, const Workspace& a, const Watched& watched);
    void show_sentence(const TracePtr& whole, int sentence);
    void compare(const Workspace& a);

    std::function<void()> wake_;
    Comparison now_;
    std::unique_ptr<Session> session_;  // of another study
    TracePtr whole_;
    int sentence_ = 0;
    std::string problem_;
    std::shared_ptr<const Document> changed_of_;  // A, of which B is a changed copy …
    Document changed_;                            // … this one
    std::pair<MatrixPtr, MatrixPtr> compared_;    // the difference is of these …
    std::string compared_path_;                   // … and of this tensor
};

}  // namespace headlight
