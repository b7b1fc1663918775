// Additive scores: sums of tanh over all pairs of a query and a key.
#include "core/kernels/kernels.h"
#include "core/kernels/panel.h"
#include "core/kernels/vector.h"

namespace headlight {
namespace {

/// Returns Σ_d v(d) tanh(a(d) + b(d)) for one query and one vector of keys; `step`: from b(d) to
/// b(d + 1).
Vector sum_hidden(const Scalar* a, const Scalar* b, const Scalar* v, Index width, Index step) {
    Vector sum = {};
    Index d = 0;
    for (; d + 2 <= width; d += 2) {
        // Two fractions share one division, which takes as long as everything else.
        const TanhParts s = tanh_parts(a[d] + load(b + d * step));
        const TanhParts t = tanh_parts(a[d + 1] + load(b + (d + 1) * step));
        sum += (v[d] * s.top * t.bottom + v[d + 1] * t.top * s.bottom) / (s.bottom * t.bottom);
    }
    if (d < width) sum += v[d] * tanh(a[d] + load(b + d * step));
    return sum;
}

void store_scores(Vector scores, Scalar* S, Index n, Into into) {
    if (n >= kLanes)
        store(into == Into::Add ? load(S) + scores : scores, S);
    else
        store_some(into == Into::Add ? load_some(S, n, 0) + scores : scores, S, n);
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void additive_scores(const AdditiveScores& s, Scalar* S) {
    alignas(64) Scalar panel[kPanelDepth * kLanes];
    Index first = 0;
    do {  // also runs if the width is 0: then the scores are 0
        const Index width = s.width - first < kPanelDepth ? s.width - first : kPanelDepth;
        for (Index j = 0; j < s.n_key; j += kLanes) {
            const Index keys = s.n_key - j < kLanes ? s.n_key - j : kLanes;
            pack({s.b + j * s.width + first, 1, s.width}, width, keys, kLanes, panel);
            for (Index i = 0; i < s.n_query; ++i)
                store_scores(s.scale * sum_hidden(s.a + i * s.width + first, panel, s.v + first,
                                                  width, kLanes),
                             S + i * s.n_key + j, keys, first > 0 ? Into::Add : Into::Set);
        }
        first += width;
    } while (first < s.width);
}

}  // namespace HEADLIGHT_LEVEL
}  // namespace headlight
