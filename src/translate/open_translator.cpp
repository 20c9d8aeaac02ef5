#include "translate/open_translator.h"

#include <utility>

#include "base/error.h"
#include "model/model_dir.h"
#include "tensor/device.h"
#include "text/tokenizers.h"
#include "translate/forbidden_text.h"
#include "translate/model_engine.h"

namespace nmt {

namespace {

void check_vocabulary(const char* side, int64_t model, int64_t tokenizer) {
  if (model == tokenizer) return;
  throw ModelError("The model has " + std::to_string(model) + " " + side + " pieces, its tokenizer " +
                   std::to_string(tokenizer) + ": they don't belong together.");
}

struct Member {
  LoadedModel loaded;
  TokenizerPair tokenizers;
};

Member open_member(const std::string& model, const torch::Device& device) {
  const std::filesystem::path directory = resolve_model_dir(model);
  Member member;
  member.loaded = load_model_dir(directory, device);
  member.tokenizers = load_tokenizers(directory, member.loaded.config.text);
  check_vocabulary("source", member.loaded.card.source_vocab, member.tokenizers.source->vocab_size());
  check_vocabulary("target", member.loaded.card.target_vocab, member.tokenizers.target->vocab_size());
  return member;
}

// Members of an ensemble read and write the same pieces.
void check_same_pieces(const std::string& first_name, const Member& first, const std::string& name,
                       const Member& member) {
  const bool source = first.tokenizers.source->digest() == member.tokenizers.source->digest();
  const bool target = first.tokenizers.target->digest() == member.tokenizers.target->digest();
  const bool text = first.loaded.config.text.normalization == member.loaded.config.text.normalization;
  if (source && target && text) return;
  const char* what = !source ? "source vocabularies" : !target ? "target vocabularies" : "text normalisations";
  throw ModelError("The models " + first_name + " and " + name + " have different " + what +
                   ", so they can't translate together.");
}

}  // namespace

TextTranslator open_translator(const std::vector<std::string>& models, const OpenOptions& options) {
  const torch::Device device = select_device(options.device);
  const int threads = set_threads(options.threads);
  std::vector<Member> members;
  std::vector<Seq2Seq> networks;
  for (const std::string& model : models) {
    members.push_back(open_member(model, device));
    check_same_pieces(models.front(), members.front(), model, members.back());
    networks.push_back(members.back().loaded.model);
    networks.back()->pack(options.precision);
  }
  if (members.empty()) throw UsageError("There is no model to translate with.");
  if (!options.weights.empty() && options.weights.size() != models.size()) {
    throw UsageError("There are " + std::to_string(options.weights.size()) + " weights for " +
                     std::to_string(models.size()) + " models; give each model one, or none.");
  }
  const SearchConfig& saved = members.front().loaded.config.search;
  SearchOptions search(saved);
  if (options.adjust_search) options.adjust_search(search);
  if (!options.forbidden.empty()) {
    search.filter = make_forbidden_text(*members.front().tokenizers.target, options.forbidden);
  }
  TextTranslatorOptions how;
  how.max_source_pieces = options.max_source_pieces;
  how.batch_sentences = options.batch_sentences.value_or(saved.batch_sentences);
  how.threads = device.is_cpu() ? threads : 1;
  return TextTranslator(members.front().tokenizers,
                        make_ensemble_engine(std::move(networks), options.weights, options.average), std::move(search),
                        how);
}

}  // namespace nmt
