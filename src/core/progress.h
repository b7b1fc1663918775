// Progress: the share of a computation that is done, and a request to cancel it.
//
// Goals: another thread than the computing ones may read it and cancel it.
#pragma once

#include <atomic>
#include <memory>
#include <string>

namespace headlight {

/// Thrown by cancelled work. It is not an Error, because nothing is wrong.
struct Cancelled {};

class Progress {
  public:
    // These are for the waiting side.
    double share() const;    // the share of the work that is done, 0 … 1
    std::string at() const;  // the path of the tensor being computed; "" before the first
    void cancel() { is_cancelled_ = true; }

    // These are for the computing side. Work is counted in estimated multiply-adds, or in any other
    // unit.
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
