#include "base/error.h"
#include "cli/torch_guard.h"
#include "cli/torch_verbs.h"

void nmt_train(const nmt::TrainOptions&) {
  nmt::with_torch_errors([] { throw nmt::InternalError("nmt train is not built into this library yet."); });
}
