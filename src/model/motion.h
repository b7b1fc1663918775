// Motion: a number on its way between two others, as a function of time.
#pragma once

namespace headlight {

/// What happens when the end is reached.
enum class Repeat { Once, Loop, Bounce };

/// How the numbers between two others are spread: by equal steps, or by equal factors.
enum class Spacing { Steps, Factors };

/// Factors where both have one sign and lie far apart.
Spacing spacing_between(double from, double to);

/// share 0 is `from`, 1 is `to`. By factors of x + 1 where a range begins at 0.
double number_at(double from, double to, double share, Spacing spacing);
/// The reverse, in 0 … 1.
double share_at(double from, double to, double number, Spacing spacing);

struct Motion {
    double from = 0, to = 1;
    double secs = 4;  // from one end to the other; above 0
    Repeat repeat = Repeat::Bounce;

    /// How far the motion has gone from `from` to `to` after that many seconds, 0 … 1.
    double share_after(double elapsed_secs) const;
    double value_at(double share) const;
    bool is_over(double elapsed_secs) const;
};

}  // namespace headlight
