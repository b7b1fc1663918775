// Requests: orders from one part of the window to another, beside the edits. They are done after
// the frame, or by the receiving part when that is drawn next.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/sweep/sweep.h"
#include "views/comparison.h"

namespace headlight {

/// The id of a command: that of its row in the table (ui/window/commands.h).
using CommandId = std::string_view;
using Commands = std::vector<CommandId>;

/// A request that the field of a setting take the keyboard.
struct SettingRequest {
    std::string section, label;
};

/// A number for the bar of the animation to take up.
struct AnimationRequest {
    NumberPlace place;
    bool plays = false;  // else it rests
};

/// Requests to the large picture; only it knows its size.
enum class PictureRequest { Whole, Larger, Smaller, SeeHeld };

/// A click on the tab of an open study.
struct TabRequest {
    std::size_t number = 0;  // of the study
    enum What { Show, Close } what = Show;
};

/// A request that waits until it is taken; a later one replaces it.
template <typename Value>
class Request {
  public:
    void ask(Value value) { value_ = std::move(value); }
    const std::optional<Value>& asked() const { return value_; }
    std::optional<Value> take() { return std::exchange(value_, std::nullopt); }

  private:
    std::optional<Value> value_;
};

/// A request that a sweep begin; with no settings, that the running one end.
struct SweepRequest {
    std::optional<SweepSettings> start;
};

class OpenLecture;
/// A change of the lecture that is open.
using LectureCommand = std::function<void(OpenLecture&)>;

class TrainingView;
struct Workspace;
/// A change of the training, beside edits of its study.
using TrainingCommand = std::function<void(TrainingView&, Workspace&)>;

class Requests {
  public:
    Request<SettingRequest> setting;
    Request<AnimationRequest> animation;
    Request<PictureRequest> picture;
    Request<TabRequest> tab;
    Request<Other> comparison;        // the study to compare with
    Request<std::string> lesson;      // the name of one to open
    Request<Comparison::Show> sides;  // the way in which the comparison is shown
    Request<SweepRequest> sweep;

    void run(CommandId command) { commands_.push_back(command); }
    Commands take_commands() { return std::exchange(commands_, {}); }

    void train(TrainingCommand order) { orders_.push_back(std::move(order)); }
    std::vector<TrainingCommand> take_orders() { return std::exchange(orders_, {}); }

    void lecture(LectureCommand order) { lecture_orders_.push_back(std::move(order)); }
    std::vector<LectureCommand> take_lecture_commands() {
        return std::exchange(lecture_orders_, {});
    }

    /// Gives the keyboard to the value field of the inspector, with this text typed.
    void type(const std::string& text = {}) { typed_ = typed_.value_or("") + text; }
    std::optional<std::string> take_typed() { return std::exchange(typed_, std::nullopt); }

    /// Asks for another frame after so long, without any event.
    void look_again(double after_secs) {
        look_again_secs_ = std::min(look_again_secs_, after_secs);
    }
    double take_look_again() { return std::exchange(look_again_secs_, kNoFrame_secs); }

    /// Says that a field that is typed into uses Tab itself in this frame.
    void keep_tab() { keeps_tab_ = true; }
    bool take_keep_tab() { return std::exchange(keeps_tab_, false); }

    /// Says that a control that has the keyboard uses ← → and Space itself in this frame.
    void keep_arrows() { keeps_arrows_ = true; }
    bool keeps_arrows() const { return keeps_arrows_; }

    /// Says that a field holds a typed text in this frame that it takes over when it is left.
    void keep_text() { keeps_text_ = true; }
    bool keeps_text() const { return keeps_text_; }
    void begin_frame() { keeps_arrows_ = keeps_text_ = false; }

  private:
    static constexpr double kNoFrame_secs = 1e9;

    Commands commands_;
    std::vector<TrainingCommand> orders_;
    std::vector<LectureCommand> lecture_orders_;
    std::optional<std::string> typed_;
    bool keeps_tab_ = false, keeps_arrows_ = false, keeps_text_ = false;
    double look_again_secs_ = kNoFrame_secs;
};

}  // namespace headlight
