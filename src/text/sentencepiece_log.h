#pragma once

namespace nmt {

// Keeps the library's own log lines off standard error; its failures reach us as status values.
void silence_sentencepiece();

}  // namespace nmt
