#pragma once

#include <nmt/error.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Translation for C++ programs (C++17 or later). Needs no header of LibTorch and links none: the library opens LibTorch
// when the first Translator is made.
//
//   #include <nmt/translator.h>
//
//   try {
//     const nmt::Translator translator("runs/my");
//     std::cout << translator.translate("Elle aime le thé vert").text() << '\n';
//   } catch (const nmt::Error& error) {
//     std::cerr << error.what() << '\n';
//     return error.exit_code();
//   }
//
// Errors are nmt::Error and nothing else; its kind says whose the fault is, its message is for people. Nothing is
// printed, no signal handler, locale or environment variable is touched, and the process is never ended.
//
// See docs/cpp.md for installing, linking and what may change between versions.

#define NMT_PUBLIC __attribute__((visibility("default")))

namespace nmt {

class TranslatorBackend;  // the library's own

// How a model is opened. The names, meanings and defaults are those of the flags of `nmt translate`.
struct TranslatorOptions {
  enum class Average { kLog, kLinear };  // kLog: geometric mean
  enum class Precision { kFloat32, kBfloat16, kInt8 };

  std::string device = "auto";                  // auto (a GPU where there is one), cpu, cuda or cuda:N
  int64_t threads = 0;                          // CPU threads of each call; 0 for as many as there are cores
  Precision precision = Precision::kFloat32;    // of the products with the models' weights, on the CPU
  std::vector<double> weights = {};             // of the models of an ensemble, each above 0; none for equal ones
  Average average = Average::kLog;              // of an ensemble's probabilities
  std::optional<int64_t> batch_sentences = {};  // searched together; none for the model's own number

  // Lines of more pieces are translated in parts and joined again. None for what the model was trained on: its longest
  // line, and sentence by sentence where it has hardly seen two in a line (250 for models that don't say).
  std::optional<int64_t> max_source_length = {};

  // A file of words and their translations, for TranslationOptions::replace_unknown (docs/translate.md).
  std::string dictionary = {};

  // Called with each warning of LibTorch (rare; none in normal use), from the thread that opens or translates. Without
  // it they are dropped.
  std::function<void(const std::string&)> on_warning = {};
};

// What is searched for. Lengths are in pieces of the model's tokenizer; an option without a value takes the model's.
// Scores are defined in docs/search.md and by `nmt translate --help`.
struct TranslationOptions {
  enum class Normalization { kNone, kAverage, kGnmt };

  std::optional<int64_t> beam = {};  // hypotheses kept for each line, at least n_best; 1 is greedy search
  int64_t n_best = 1;                // translations given for each line (fewer where fewer ended within the limit)
  double patience = 1;               // search ends after patience x beam finished translations

  Normalization normalization = Normalization::kGnmt;  // of scores by length
  std::optional<double> length_penalty = {};           // 0 ranks by the sum of log-probabilities
  double word_reward = 0;                              // added for each piece
  double coverage_penalty = 0;                         // weight of source words left without attention

  std::optional<double> max_length_ratio = {};   // longest translation, in pieces for each piece of the source
  std::optional<int64_t> max_length_extra = {};  // pieces allowed beyond that
  int64_t min_length = 0;
  int64_t no_repeat_ngram = 0;           // no so many pieces twice in a translation; 0 allows all
  bool forbid_unknown = false;           // never give the unknown piece
  std::vector<std::string> forbid = {};  // words and phrases that no translation may hold

  int64_t diversity_groups = 1;  // the beam in so many groups that avoid each other's words
  double diversity_penalty =
      0.5;  // log-probability that a group forgoes for each earlier one that chose the same piece

  bool sample = false;     // draw translations at random instead of searching for the best
  double temperature = 1;  // below 1 draws likely pieces more often
  int64_t top_k = 0;       // draw among so many likeliest pieces; 0 among all
  double top_p = 1;        // draw among the likeliest pieces that have this probability together
  uint64_t seed = 1;       // line i of a call draws the same for the same seed, whatever its neighbours

  // How the translation of each line must begin: none, or one for each line of the call (empty: no matter how).
  std::vector<std::string> prefixes = {};

  // Phrases that the translation of each line must hold: none, or a list (empty: no phrase) for each line of the call.
  // Not with sampling or diversity groups. What can't be met is told in TranslatedText::missing.
  std::vector<std::vector<std::string>> constraints = {};

  std::string unknown = "<unk>";  // how a word unknown to the model is shown
  bool replace_unknown = false;   // by the source word that it attends to most, or that word's dictionary entry

  bool pieces = false;     // fill TranslatedText::pieces
  bool alignment = false;  // fill TranslatedText::alignment
  bool attention = false;  // fill TranslatedText::attention
};

// Throw Error (kUsage) that names the option which is out of range. Opening and translating call them.
NMT_PUBLIC void validate(const TranslatorOptions& options);
NMT_PUBLIC void validate(const TranslationOptions& options);

// A piece of a translation, as "▁the", and the natural logarithm of its probability.
struct PieceScore {
  std::string piece;
  double log_prob = 0;
};

// A word of a translation and the source word that it attends to most, by number from 0. Words are what stands between
// white space.
struct WordPair {
  int64_t source = 0;
  int64_t target = 0;
};

// Where a translation looked: a row for each of its words from first_target on, with the weights of the source words
// from first_source on. What a row lacks to 1 went to the end mark.
struct AttentionBlock {
  int64_t first_source = 0;
  int64_t first_target = 0;
  std::vector<std::vector<float>> weights;  // [target words][source words]
};

// One translation of a line.
struct TranslatedText {
  std::string text;     // UTF-8 without a line end
  double score = 0;     // what translations are ranked by; higher is better
  double log_prob = 0;  // natural logarithm of the probability of all pieces and the end mark

  // On request. The log-probabilities sum to log_prob; the end mark is the piece "</s>" (several where the line was
  // translated in parts, none where the length limit came first).
  std::vector<PieceScore> pieces;

  // On request, in order of source and then target words. The weights of a word's pieces are summed over the source's
  // and averaged over the translation's.
  std::vector<WordPair> alignment;

  // On request, the weights that the alignment is made from: one block, or one for each part of a line that was
  // translated in parts.
  std::vector<AttentionBlock> attention;

  std::vector<std::string> missing;  // constraints that it doesn't hold
};

// What became of one line.
struct TranslatedLine {
  std::vector<TranslatedText> translations;  // best first; at least one; a blank line has one that is empty
  bool split = false;                        // translated in parts: too long, or several sentences
  bool cut = false;                          // the best translation hit the length limit before its end
  int64_t replaced_utf8 = 0;                 // ill-formed parts of the line, replaced by U+FFFD

  const std::string& text() const { return translations.front().text; }
};

// An opened model, or an ensemble of several.
//
// Thread safety: const functions may be called from several threads at once; they share one copy of the weights, and
// each call uses TranslatorOptions::threads threads. A server with a pool of its own opens with threads = 1. In float32
// a line's translation depends neither on the lines around it nor on the number of threads. After a move only
// destruction and assignment are allowed.
//
// LibTorch's number of threads, a setting of the whole process, is changed during a call and put back after it.
class NMT_PUBLIC Translator {
 public:
  // `model`: a model directory, or a run directory (its best checkpoint). Throws Error: kModel where it is missing,
  // damaged or of another version, kUsage where an option is out of range, kData where the
  // dictionary can't be read, kResource where LibTorch can't be loaded, the device isn't there or memory doesn't
  // suffice.
  explicit Translator(const std::string& model, const TranslatorOptions& options = {});

  // Models that predict together. They must have the same vocabularies (else kModel); the first one's own values of
  // options count.
  static Translator ensemble(const std::vector<std::string>& models, const TranslatorOptions& options = {});

  ~Translator();
  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;

  // `line`: any bytes; a line end in it counts as a blank. Throws Error: kUsage where an option is out of range or
  // options contradict each other, kModel where one needs attention and the model has none, kResource where memory
  // doesn't suffice for one sentence.
  TranslatedLine translate(const std::string& line, const TranslationOptions& options = {}) const;

  // One result for each line, in order. Much faster than line by line: lines of similar length are searched together.
  std::vector<TranslatedLine> translate_lines(const std::vector<std::string>& lines,
                                              const TranslationOptions& options = {}) const;

 private:
  explicit Translator(std::unique_ptr<const TranslatorBackend> backend);
  std::unique_ptr<const TranslatorBackend> backend_;
};

}  // namespace nmt
