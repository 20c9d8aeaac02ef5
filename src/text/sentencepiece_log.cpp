#include "text/sentencepiece_log.h"

// Exported by the library and used by its own programs, but not part of the installed headers.
namespace sentencepiece::logging {
void SetMinLogLevel(int level);
}

namespace nmt {

void silence_sentencepiece() {
  constexpr int kFatalOnly = 3;
  sentencepiece::logging::SetMinLogLevel(kFatalOnly);
}

}  // namespace nmt
