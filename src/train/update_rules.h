#pragma once

#include <cmath>

namespace nmt {

// Update rules as formulas of one weight w with gradient g. The loops of update_loops.h run them over arrays; the same
// numbers drive the tensor form in optimizer.cpp that serves other devices.
//
// `clip` is the factor that shortens the gradient (1 where it is short enough); `l2` is the weight of an L2 penalty,
// whose gradient l2 * w is added after clipping, as torch::optim does with a gradient clipped before its step.

// Kingma and Ba 2015 (arXiv:1412.6980), algorithm 1; with keep < 1 AdamW (Loshchilov and Hutter 2019,
// arXiv:1711.05101, algorithm 2).
struct AdamRule {
  static constexpr int kMoments = 2;

  float clip = 1;
  float l2 = 0;
  float keep = 1;  // 1 - learning rate * decoupled weight decay
  float beta1 = 0;
  float beta2 = 0;
  float step = 0;     // learning rate / (1 - beta1^t)
  float correct = 1;  // 1 / sqrt(1 - beta2^t)
  float epsilon = 0;

  [[gnu::always_inline]] void operator()(float& w, float g, float& m, float& v) const {
    g = g * clip + l2 * w;
    m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * (g * g);
    w = keep * w - step * (m / (std::sqrt(v) * correct + epsilon));
  }
};

// Gradient descent with momentum as torch::optim::SGD has it: the buffer holds the undamped sum.
struct SgdRule {
  static constexpr int kMoments = 1;

  float clip = 1;
  float l2 = 0;
  float momentum = 0;
  float step = 0;  // learning rate

  [[gnu::always_inline]] void operator()(float& w, float g, float& buffer) const {
    buffer = momentum * buffer + (g * clip + l2 * w);
    w -= step * buffer;
  }
};

// Zeiler 2012 (arXiv:1212.5701), algorithm 1, its step multiplied by the learning rate (the paper: 1).
struct AdadeltaRule {
  static constexpr int kMoments = 2;

  float clip = 1;
  float l2 = 0;
  float rho = 0;
  float epsilon = 0;
  float step = 1;  // learning rate

  [[gnu::always_inline]] void operator()(float& w, float g, float& square, float& delta_square) const {
    g = g * clip + l2 * w;
    square = rho * square + (1 - rho) * (g * g);
    const float delta = std::sqrt((delta_square + epsilon) / (square + epsilon)) * g;
    delta_square = rho * delta_square + (1 - rho) * (delta * delta);
    w -= step * delta;
  }
};

}  // namespace nmt
