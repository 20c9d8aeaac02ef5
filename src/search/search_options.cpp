#include "search/search_options.h"

#include <cmath>
#include <string>

#include "base/error.h"

namespace nmt {

SearchOptions::SearchOptions(const SearchConfig& config)
    : beam(config.beam), max_length_ratio(config.max_length_ratio), max_length_extra(config.max_length_extra) {
  rule.alpha = config.length_penalty;
}

int64_t SearchOptions::max_pieces(int64_t source_pieces) const {
  const double limit = std::floor(max_length_ratio * static_cast<double>(source_pieces) + 1e-9);
  return std::max<int64_t>(1, static_cast<int64_t>(limit) + max_length_extra);
}

int64_t SearchOptions::min_pieces(int64_t source_pieces) const {
  const double relative = std::ceil(min_length_ratio * static_cast<double>(source_pieces) - 1e-9);
  return std::min(max_pieces(source_pieces), std::max(min_length, static_cast<int64_t>(relative)));
}

namespace {

void require(bool fulfilled, const char* message) {
  if (!fulfilled) throw UsageError(message);
}

}  // namespace

void check(const SearchOptions& options) {
  require(options.beam >= 1 && options.beam <= 1000, "The beam must be between 1 and 1000.");
  require(options.n_best >= 1, "The number of hypotheses asked for (n-best) must be at least 1.");
  if (options.n_best > options.beam) {
    throw UsageError("n-best " + std::to_string(options.n_best) + " needs a beam of at least as many; it is " +
                     std::to_string(options.beam) + ".");
  }
  require(options.patience > 0, "Patience must be above 0; 1 is the usual search.");
  require(options.rule.alpha >= 0, "The length penalty must be at least 0.");
  require(options.rule.coverage_penalty >= 0, "The coverage penalty must be at least 0.");
  require(std::isfinite(options.rule.word_reward), "The word reward must be a finite number.");
  require(options.max_length_ratio > 0, "The maximum length ratio must be above 0.");
  require(options.max_length_extra >= 0, "The extra maximum length must be at least 0.");
  require(options.min_length_ratio >= 0 && options.min_length >= 0, "The minimum length must be at least 0.");
  require(options.no_repeat_ngram >= 0, "The no-repeat n-gram size must be at least 0; 0 switches it off.");
  require(options.sampling.temperature > 0, "The sampling temperature must be above 0.");
  require(options.sampling.top_k >= 0, "Sampling's top-k must be at least 0; 0 draws among all pieces.");
  require(options.sampling.top_p > 0 && options.sampling.top_p <= 1, "Sampling's top-p must be above 0, at most 1.");
  require(options.diversity_groups >= 1, "There must be at least 1 diversity group; 1 is the usual search.");
  require(options.diversity_penalty >= 0 && std::isfinite(options.diversity_penalty),
          "The diversity penalty must be at least 0.");
  if (options.beam % options.diversity_groups != 0) {
    throw UsageError("A beam of " + std::to_string(options.beam) + " can't be divided into " +
                     std::to_string(options.diversity_groups) + " diversity groups of equal size.");
  }
  if (options.diversity_groups > 1 && options.sampling.enabled) {
    throw UsageError("Diversity groups are of beam search; sampling has none.");
  }
  for (const PieceId piece : options.forbidden) {
    require(piece != kEosId, "The end mark can't be forbidden; use the minimum length to make translations longer.");
  }
}

}  // namespace nmt
