#pragma once

#include <memory>

#include "translate/model_ensemble.h"
#include "translate/search_engine.h"

namespace nmt {

// Searches with a model on its device. The model must be in evaluation mode whenever search() runs (InternalError);
// it is shared, not copied.
std::shared_ptr<const SearchEngine> make_model_engine(Seq2Seq model);

// The same with several models that predict together.
std::shared_ptr<const SearchEngine> make_ensemble_engine(std::shared_ptr<const ModelEnsemble> models);

}  // namespace nmt
