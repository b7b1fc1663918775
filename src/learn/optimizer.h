// Optimizer: how parameters follow their gradients.
//
// Goals: the arithmetic of PyTorch's optimizers of the same names, in float; no memory in a step.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/matrix.h"

namespace headlight {

enum class Rule { Sgd, Adam, AdamW };

struct OptimizerSettings {
    Rule rule = Rule::Adam;
    double momentum = 0;                // Sgd
    double beta1 = 0.9, beta2 = 0.999;  // Adam, AdamW                          [Kingma 2015]
    double epsilon = 1e-8;              // Adam, AdamW
    /// AdamW: taken off the parameter itself [Loshchilov 2019]; else added to the gradient.
    double weight_decay = 0;
    double clip_norm = 0;  // the gradient of all parameters together is at most so long; 0: any

    bool operator==(const OptimizerSettings&) const = default;
};

class Optimizer {
  public:
    explicit Optimizer(const OptimizerSettings& settings) : settings_(settings) {}

    /// Makes `to` of `from` and its gradient. As many matrices in every step, of the same shapes.
    /// Returns the length of the gradient before it was clipped.
    double step(std::span<const MatrixPtr> from, std::span<Matrix> gradients,
                std::span<const std::shared_ptr<Matrix>> to, double learning_rate);

    /// The moments and the count of steps, to go on later. Empty before the first step; Sgd has no
    /// second ones.
    struct State {
        long n_steps = 0;
        std::vector<Matrix> first, second;
    };
    const State& state() const { return state_; }
    void set_state(State state) { state_ = std::move(state); }

  private:
    void move(ConstView from, View gradient, View to, std::size_t k, double learning_rate);

    OptimizerSettings settings_;
    State state_;
};

}  // namespace headlight
