#pragma once

#include <memory>
#include <vector>

#include "data/batch.h"
#include "model/seq2seq.h"
#include "search/ensemble_stepper.h"

namespace nmt {

// One or several models of equal vocabularies, on one device, that predict together. They are shared, not copied, and
// must be in evaluation mode whenever they are used. Safe to use from several threads.
class ModelEnsemble {
 public:
  // See EnsembleStepper for weights (none: equal ones) and average.
  ModelEnsemble(std::vector<Seq2Seq> models, std::vector<double> weights, EnsembleAverage average);

  // The models at the beginning of a batch's translations; the batch may be on any device. Throws InternalError where
  // a model is in training mode.
  std::unique_ptr<Stepper> start(const Batch& batch) const;

 private:
  std::vector<Seq2Seq> models_;
  std::vector<double> weights_;
  EnsembleAverage average_;
};

}  // namespace nmt
