// The verbs that only read and write model directories.
#include <iostream>

#include "base/log.h"
#include "cli/torch_verbs.h"
#include "model/model_copy.h"
#include "model/model_report.h"
#include "tensor/torch_guard.h"

void nmt_export(const nmt::ExportOptions& options) {
  nmt::with_torch_errors([&] {
    nmt::export_model(options.model, options.output);
    nmt::log::info("Exported {} to {}.", options.model, options.output);
  });
}

void nmt_average(const nmt::AverageOptions& options) {
  nmt::with_torch_errors([&] {
    nmt::average_models({options.models.begin(), options.models.end()}, options.output);
    nmt::log::info("Averaged {} models into {}.", options.models.size(), options.output);
  });
}

void nmt_inspect(const nmt::InspectOptions& options) {
  nmt::with_torch_errors([&] {
    std::cout << (options.json ? nmt::model_report_json(options.model) : nmt::model_report_text(options.model));
  });
}
