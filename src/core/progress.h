// Progress: how far a computation is, and whether it is still wanted.
//
// Goals: may be read, and cancelled, by another thread than those that compute.
#pragma once

#include <atomic>
#include <memory>
#include <string>

namespace headlight {

/// Thrown by work that nobody wants any more. No Error: nothing is wrong.
struct Cancelled {};

class Progress {
  public:
    // For who waits.
    double share() const;    // of the work that is done, 0 … 1
    std::string at() const;  // what is being done: the path of a tensor; "" before the first
    void cancel() { is_cancelled_ = true; }

    // For who computes. Work is counted in estimated multiply-adds, or any other unit.
    void begin(double work);
    void enter(std::string what);  // throws Cancelled
    void advance(double work);     // throws Cancelled

  private:
    void check() const;

    std::atomic<double> total_ = 0, done_ = 0;
    std::atomic<bool> is_cancelled_ = false;
    std::atomic<std::shared_ptr<const std::string>> at_;
};

}  // namespace headlight
