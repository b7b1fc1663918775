// Motion: a number on its way between two others, as a function of time.
#pragma once

namespace headlight {

/// The behaviour at the end of a motion.
enum class Repeat { Once, Loop, Bounce };

/// The spacing of the numbers between two others: equal steps, or equal factors.
enum class Spacing { Steps, Factors };

/// Returns Factors where both have one sign and lie far apart.
Spacing spacing_between(double from, double to);

/// Returns the number at a share, where 0 is `from` and 1 is `to`. Factors are those of x + 1 where
/// a range begins at 0.
double number_at(double from, double to, double share, Spacing spacing);
/// Returns the share of a number, in 0 … 1: the reverse of number_at.
double share_at(double from, double to, double number, Spacing spacing);

struct Motion {
    double from = 0, to = 1;
    double secs = 4;  // from one end to the other; above 0
    Repeat repeat = Repeat::Bounce;

    /// Returns how far the motion has gone from `from` to `to` after that many seconds, 0 … 1.
    double share_after(double elapsed_secs) const;
    double value_at(double share) const;
    bool is_over(double elapsed_secs) const;
};

}  // namespace headlight
