#pragma once

#include <torch/nn/module.h>

namespace nmt {

// Draws every parameter of a model anew, in the order of its parameters() and from the random stream:
//   matrices of GRU gates that read the state    each of the three [H,H] parts orthogonal (Saxe et al. 2014; as the
//   2014
//                                                paper, appendix B.1)
//   embeddings                                   normal with standard deviation 1/sqrt(E)
//   other matrices                               uniform within sqrt(6 / (fan in + fan out)) (Glorot and Bengio 2010),
//                                                stacked gates each by itself
//   biases                                       zero
void initialize_parameters(torch::nn::Module& model);

}  // namespace nmt
