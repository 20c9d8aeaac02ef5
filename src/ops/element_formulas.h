#pragma once

// The formulas of single elements that the kernels of every device are made of. `Math` has the device's sigmoid and
// tanh. Always inlined: the CPU's kernels are compiled for several instruction sets, and no copy for one of them may
// serve another.
#ifdef __CUDACC__
#define NMT_ELEMENT_FORMULA __host__ __device__ __forceinline__
#else
#define NMT_ELEMENT_FORMULA [[gnu::always_inline]] inline
#endif

namespace nmt {

// One unit of a GRU step (model/gru.h).
struct GruUnit {
  float reset, update, candidate, next;
};

template <class Math>
NMT_ELEMENT_FORMULA GruUnit gru_unit(float input_reset, float input_update, float input_candidate, float state_reset,
                                     float state_update, float state_candidate, float state) {
  GruUnit unit;
  unit.reset = Math::sigmoid(input_reset + state_reset);
  unit.update = Math::sigmoid(input_update + state_update);
  unit.candidate = Math::tanh(input_candidate + unit.reset * state_candidate);
  unit.next = unit.candidate + unit.update * (state - unit.candidate);
  return unit;
}

// Gradients of the gates' sums: those of input and state are the same but for the candidate's, which is `candidate` on
// the input's side and `candidate * reset` on the state's.
struct GruUnitGradient {
  float reset, update, candidate, state;
};

// state_candidate: the state's part of the candidate's gate; g: gradient of the new state.
NMT_ELEMENT_FORMULA GruUnitGradient gru_unit_backward(float reset, float update, float candidate, float state_candidate,
                                                      float state, float g) {
  GruUnitGradient gradient;
  gradient.candidate = g * (1.0f - update) * (1.0f - candidate * candidate);
  gradient.update = g * (state - candidate) * update * (1.0f - update);
  gradient.reset = gradient.candidate * state_candidate * reset * (1.0f - reset);
  gradient.state = g * update;
  return gradient;
}

// One unit of the attention's hidden layer, tanh(q + k) or q + k, and what it adds to the gradients where the
// position's score has gradient g: v[a] += score, q[a] and k[a] += hidden.
template <class Math, bool kWithTanh>
NMT_ELEMENT_FORMULA float additive_unit(float query, float key) {
  if constexpr (kWithTanh) return Math::tanh(query + key);
  return query + key;
}

struct AdditiveUnitGradient {
  float score, hidden;
};

template <class Math, bool kWithTanh>
NMT_ELEMENT_FORMULA AdditiveUnitGradient additive_unit_backward(float query, float key, float score, float g) {
  const float t = additive_unit<Math, kWithTanh>(query, key);
  AdditiveUnitGradient gradient;
  gradient.score = g * t;
  gradient.hidden = g * score;
  if constexpr (kWithTanh) gradient.hidden *= 1.0f - t * t;
  return gradient;
}

}  // namespace nmt
