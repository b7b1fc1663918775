// Stress minimisation, with the same bits on every machine: it has its own random generator, and
// only + − × ÷ √ in the descent (the build forbids fused operations here).
#include "graph/stress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/bits.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxNodesForAllPairs = 1000;
constexpr std::size_t kMaxStepsForAllPairs = 50'000'000;  // nodes × ends of edges
constexpr std::size_t kMaxPivotPairs = 2'000'000;
constexpr std::size_t kMaxPivots = 200, kMinPivots = 10;
constexpr std::size_t kPairsInPiece = 50'000;

/// SplitMix64 [Steele, Lea, Flood 2014].
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        const std::uint64_t bits = mix_bits(state_);
        state_ += kSplitMixStep;
        return bits;
    }
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }

  private:
    std::uint64_t state_;
};

/// One pair whose distance should be d. Each end moves by its own weight.
struct Pair {
    int i, j;
    float d, weight_i, weight_j;
};

Pieces<std::vector<Pair>> all_pairs(const Neighbours& neighbours, const StepLengths& lengths) {
    const auto n_nodes = static_cast<int>(neighbours.size());
    std::vector<Pair> pairs;
    for (int i = 0; i < n_nodes; ++i) {
        const std::vector<int> steps = steps_from(i, neighbours, lengths);
        for (int j = i + 1; j < n_nodes; ++j) {
            const auto d = static_cast<float>(steps[j]);
            pairs.push_back({i, j, d, 1 / (d * d), 1 / (d * d)});
        }
        co_await kPause;
    }
    co_return pairs;
}

struct Pivots {
    std::vector<int> nodes;
    std::vector<std::vector<int>> steps;  // per pivot, to every node
    std::vector<int> nearest;             // per node, index of its pivot
};

/// Chooses pivots, each as far as possible from those before it.
Pieces<Pivots> choose_pivots(const Neighbours& neighbours, const StepLengths& lengths,
                             std::size_t n_pivots) {
    const std::size_t n_nodes = neighbours.size();
    Pivots pivots;
    pivots.nearest.resize(n_nodes);
    std::vector<int> gap(n_nodes, std::numeric_limits<int>::max());  // steps to the nearest pivot
    int next = 0;
    for (std::size_t p = 0; p < n_pivots; ++p) {
        pivots.nodes.push_back(next);
        pivots.steps.push_back(steps_from(next, neighbours, lengths));
        for (std::size_t i = 0; i < n_nodes; ++i) {
            if (pivots.steps[p][i] >= gap[i]) continue;
            gap[i] = pivots.steps[p][i];
            pivots.nearest[i] = static_cast<int>(p);
        }
        next = static_cast<int>(std::max_element(gap.begin(), gap.end()) - gap.begin());
        co_await kPause;
    }
    co_return pivots;
}

/// Returns, for each number of steps s, how many nodes of pivot p's region are at most s steps from
/// it.
std::vector<int> region_sizes(const Pivots& pivots, std::size_t p) {
    const std::vector<int>& steps = pivots.steps[p];
    std::vector<int> sizes(*std::max_element(steps.begin(), steps.end()) + 1);
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (pivots.nearest[i] == static_cast<int>(p)) ++sizes[steps[i]];
    for (std::size_t s = 1; s < sizes.size(); ++s) sizes[s] += sizes[s - 1];
    return sizes;
}

/// Returns the edges, and every node with every pivot. Only the node moves by the pivot's pair,
/// with the weight of those nodes of the pivot's region that are nearer to it than to the node.
Pieces<std::vector<Pair>> pivot_pairs(const Neighbours& neighbours, const StepLengths& lengths) {
    const auto n_nodes = static_cast<int>(neighbours.size());
    std::vector<Pair> pairs;
    for (int i = 0; i < n_nodes; ++i)
        for (const int j : neighbours[i])
            if (i < j) {
                const auto d = static_cast<float>(lengths.of(i, j));
                pairs.push_back({i, j, d, 1 / (d * d), 1 / (d * d)});
            }

    const std::size_t n_pivots =
        std::clamp(kMaxPivotPairs / neighbours.size(), kMinPivots, kMaxPivots);
    const Pivots pivots = co_await choose_pivots(neighbours, lengths, n_pivots);
    for (std::size_t p = 0; p < n_pivots; ++p) {
        const std::vector<int> sizes = region_sizes(pivots, p);
        for (int i = 0; i < n_nodes; ++i) {
            const int steps = pivots.steps[p][i];
            if (steps <= lengths.of(i, pivots.nodes[p])) continue;  // itself, or a neighbour
            const auto d = static_cast<float>(steps);
            const auto size = static_cast<float>(sizes[steps / 2]);
            pairs.push_back({i, pivots.nodes[p], d, size / (d * d), 0});
        }
        co_await kPause;
    }
    co_return pairs;
}

/// Moves both ends of the pair towards their distance, by at most the whole difference.
void relax(const Pair& pair, double step, std::vector<Place>& places) {
    Place& a = places[pair.i];
    Place& b = places[pair.j];
    const double dx = a.x - b.x, dy = a.y - b.y;
    const double length = std::max(std::sqrt(dx * dx + dy * dy), 1e-9);
    const double missing = (pair.d - length) / (2 * length);
    const double move_a = std::min(pair.weight_i * step, 1.0) * missing;
    const double move_b = std::min(pair.weight_j * step, 1.0) * missing;
    a.x += move_a * dx, a.y += move_a * dy;
    b.x -= move_b * dx, b.y -= move_b * dy;
}

/// Moves pairs in steps that shrink exponentially: at first every pair gets its distance, at the
/// end the heaviest moves by only a tenth of the difference.
Pieces<> descend(std::vector<Pair>& pairs, Random& random, std::vector<Place>& places,
                 const std::function<void(double share)>& passed) {
    float lightest = std::numeric_limits<float>::max(), heaviest = 0;
    for (const Pair& pair : pairs) {
        lightest = std::min(lightest, pair.weight_i);
        heaviest = std::max(heaviest, pair.weight_i);
    }
    const int n_rounds = pairs.size() < 100'000 ? 100 : pairs.size() < 1'000'000 ? 40 : 20;
    const double first = 1.0 / lightest, last = 0.1 / heaviest;
    // The factor is a float: libraries differ in the last bit of pow, which the descent would
    // magnify.
    const auto shrink = static_cast<float>(std::pow(last / first, 1 / (n_rounds - 1.0)));
    double step = first;
    for (int round = 0; round < n_rounds; ++round, step *= shrink) {
        for (std::size_t k = pairs.size(); k > 1; --k) {
            std::swap(pairs[k - 1], pairs[random.below(k)]);
            if (k % kPairsInPiece == 0) co_await kPause;
        }
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            relax(pairs[k], step, places);
            if (k % kPairsInPiece == 0) co_await kPause;
        }
        if (passed) passed((round + 1.0) / n_rounds);
    }
}

}  // namespace

/// Finds the steps to all nodes. Nodes wait in a list for each distance, of which at most `between`
/// are ahead.
std::vector<int> steps_from(int source, const Neighbours& neighbours, const StepLengths& lengths) {
    std::vector<int> steps(neighbours.size(), -1);
    std::vector<std::vector<int>> waiting(std::size_t(lengths.between) + 1);
    waiting[0].push_back(source);
    std::size_t n_waiting = 1;
    for (int d = 0; n_waiting > 0; ++d) {
        std::vector<int> reached =
            std::exchange(waiting[std::size_t(d) % waiting.size()], std::vector<int>{});
        for (const int node : reached) {
            --n_waiting;
            if (steps[node] >= 0) continue;
            steps[node] = d;
            for (const int next : neighbours[node]) {
                if (steps[next] >= 0) continue;
                waiting[std::size_t(d + lengths.of(node, next)) % waiting.size()].push_back(next);
                ++n_waiting;
            }
        }
    }
    return steps;
}

Pieces<std::vector<Place>> minimise_stress(const Neighbours& neighbours, std::uint64_t seed,
                                           const std::function<void(double share)>& passed,
                                           const StepLengths& lengths) {
    Random random(seed);
    std::vector<Place> places(neighbours.size());
    for (Place& place : places) place = {random.unit(), random.unit()};
    std::size_t n_ends = 0;
    for (const auto& nodes : neighbours) n_ends += nodes.size();
    const bool affords_all_pairs = neighbours.size() <= kMaxNodesForAllPairs &&
                                   neighbours.size() * n_ends <= kMaxStepsForAllPairs;
    Pieces<std::vector<Pair>> making =
        affords_all_pairs ? all_pairs(neighbours, lengths) : pivot_pairs(neighbours, lengths);
    std::vector<Pair> pairs = co_await std::move(making);
    if (!pairs.empty()) co_await descend(pairs, random, places, passed);
    co_return places;
}

}  // namespace headlight
