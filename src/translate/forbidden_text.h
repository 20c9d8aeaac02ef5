#pragma once

#include <memory>
#include <string>
#include <vector>

#include "search/piece_filter.h"
#include "text/tokenizer.h"

namespace nmt {

// A filter that keeps words and phrases out of what the pieces of `target` spell, however it is cut into pieces: a
// piece is forbidden where the text would end in one of `texts`, between word boundaries. Each is forbidden as written
// (after normalisation) and with its first letter as a capital. Throws UsageError for a blank one.
std::shared_ptr<const PieceFilter> make_forbidden_text(const Tokenizer& target, const std::vector<std::string>& texts);

}  // namespace nmt
