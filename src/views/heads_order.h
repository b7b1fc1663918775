// The order of all heads: layer by layer, or by a number that each head has, the highest first.
//
// Goals: the panel of all heads, its figure and its table sort alike.
#pragma once

#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expression/head_measure.h"
#include "views/listed_heads.h"
#include "views/looks.h"
#include "views/scene.h"

namespace headlight {

/// Returns the orders that have a name, in the order in which they are listed.
std::vector<HeadsOrder> named_orders();
/// Reads "layer", the name of an order, or a measure: an expression of a head's matrices.
HeadsOrder read_heads_order(const std::string& text);
/// Writes the order as it is read; "" if it is layer by layer.
std::string write_heads_order(const HeadsOrder& order);
/// Explains why the order's measure means nothing in the study; "" if it means something.
std::string why_no_order(const HeadsOrder& order, const Plan& plan, const Components& components);

/// The numbers by which the heads of a scene are sorted.
class HeadNumbers {
  public:
    using Clock = std::chrono::steady_clock;
    enum class Followed { Complete, JustCompleted, Unfinished };

    /// Computes the numbers that are not known yet, as far as it gets until `end`.
    Followed follow(const Scene& scene, const std::vector<ListedHead>& heads,
                    Clock::time_point end = Clock::time_point::max());

    /// Returns the head's number; nothing if it is not known yet, or the head has none.
    std::optional<Scalar> of(const ListedHead& head) const;
    /// Returns "entropy", "weight on the held word": the numbers' name.
    std::string name() const;
    /// Explains why no head in the list has a number; "" if one has, or will have.
    std::string why_none(const std::vector<ListedHead>& heads) const;

    const HeadsLook& look() const { return look_; }
    bool is_sorting() const { return look_.order.by != HeadsOrder::By::Layer; }
    /// True if the numbers are in no table of metrics.
    bool are_own() const;

    /// Returns the heads with a number that is at least so large, the highest first.
    std::vector<ListedHead> sorted(std::vector<ListedHead> heads,
                                   Scalar least = std::numeric_limits<Scalar>::lowest()) const;
    /// Draws the head with its number in place of its label.
    HeadPicture picture(const ListedHead& head, const Theme& theme) const;
    /// Returns the table's rows: these heads in this order.
    HeadsList list(const std::vector<ListedHead>& heads) const;

  private:
    void begin(const std::shared_ptr<const Trace>& trace);
    void measure(const Scene& scene, const ListedHead& head);

    HeadsLook look_;
    std::shared_ptr<const Trace> trace_;
    std::optional<HeadMeasure> measure_;
    std::string problem_;                                                  // of the measure
    std::map<std::pair<std::string, int>, std::optional<Scalar>> values_;  // by attention and head
};

/// Returns the heads in the order of others.
std::vector<ListedHead> in_order_of(const std::vector<ListedHead>& order,
                                    const std::vector<ListedHead>& heads);

/// The sides of a comparison whose heads are sorted as A's are, or as those of A − B.
struct SortedSides {
    std::vector<HeadsOfSide> sides;
    HeadNumbers numbers = {};
    bool is_by_layer = true;
    std::string text = {};  // "sorted by entropy, the highest first"; "": nothing is to be sorted
};
SortedSides sort_sides(const Scene& scene, std::vector<HeadsOfSide> sides);
/// Returns the rows of the table of heads as they are sorted in a figure.
HeadsList sorted_list(const Scene& scene);

}  // namespace headlight
