#include "base/error.h"
#include "cli/torch_guard.h"
#include "cli/torch_verbs.h"

void nmt_translate(const nmt::TranslateOptions&) {
  nmt::with_torch_errors([] { throw nmt::InternalError("nmt translate is not built into this library yet."); });
}
