#pragma once

#include <memory>
#include <vector>

#include "model/seq2seq.h"
#include "search/ensemble_stepper.h"
#include "translate/search_engine.h"

namespace nmt {

// Searches with a model on its device. The model must be in evaluation mode whenever search() runs (InternalError);
// it is shared, not copied.
std::shared_ptr<const SearchEngine> make_model_engine(Seq2Seq model);

// The same with several models of equal vocabularies on one device that predict together; see EnsembleStepper for
// weights (none: equal ones) and average.
std::shared_ptr<const SearchEngine> make_ensemble_engine(std::vector<Seq2Seq> models, std::vector<double> weights,
                                                         EnsembleAverage average);

}  // namespace nmt
