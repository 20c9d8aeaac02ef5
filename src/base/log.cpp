#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

namespace nmt::log {

void configure(Verbosity verbosity) {
  auto logger = std::make_shared<spdlog::logger>("nmt", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("%^%L%$ %H:%M:%S %v");
  logger->flush_on(spdlog::level::trace);
  switch (verbosity) {
    case Verbosity::kQuiet: logger->set_level(spdlog::level::warn); break;
    case Verbosity::kNormal: logger->set_level(spdlog::level::info); break;
    case Verbosity::kVerbose: logger->set_level(spdlog::level::debug); break;
  }
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace nmt::log
