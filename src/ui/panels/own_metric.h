// OwnMetric: the numbers that an expression has for all heads, some of them in each frame.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "expression/head_measure.h"
#include "scene/figures/listed_heads.h"
#include "ui/panel.h"

namespace headlight {

class OwnMetric {
  public:
    /// Measures the heads by the text for a few milliseconds, and asks for a frame if some are
    /// left. True if it has just measured the last one.
    bool follow(PanelContext& context, const std::vector<ListedHead>& heads,
                const std::string& text);

    /// Nothing if it is not known yet, or the head has none.
    std::optional<Scalar> value(const ListedHead& head) const;
    const std::string& name() const { return name_; }
    /// Why there are no numbers; "": there are, or will be.
    const std::string& problem() const { return problem_; }

  private:
    void begin(const std::string& text);
    void measure(PanelContext& context, const ListedHead& head);

    std::string text_, name_, problem_;
    std::shared_ptr<const Trace> trace_;
    std::optional<HeadMeasure> measure_;
    std::map<std::pair<std::string, int>, std::optional<Scalar>> values_;  // by attention and head
};

}  // namespace headlight
