#pragma once

#include <string>
#include <vector>

#include "search/phrases.h"
#include "text/tokenizer.h"
#include "translate/translation.h"

namespace nmt {

// A phrase, cut into pieces as in the middle of a line; with a capital where the translation begins with it. It has no
// pieces where the vocabulary can't spell it.
RequiredPhrase make_phrase(const Tokenizer& target, const std::string& text);

// Gives each phrase that isn't blank to a segment of the line: to the first whose source holds it as it is (a name, a
// number), else to the first segment.
void give_constraints(const std::vector<std::string>& phrases, std::vector<TranslatedSegment>& segments);

}  // namespace nmt
