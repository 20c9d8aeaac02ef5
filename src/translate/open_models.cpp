#include "translate/open_models.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "model/model_dir.h"
#include "tensor/device.h"
#include "text/tokenizers.h"

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

OpenedModels open_models(const std::vector<std::string>& models, const ModelOptions& options) {
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
    throw UsageError("Found " + counted(std::ssize(options.weights), "weight") + " for " +
                     counted(std::ssize(models), "model") + "; give each model one, or none.");
  }
  const bool attention = std::any_of(members.begin(), members.end(), [](const Member& member) {
    return member.loaded.config.model.attention != AttentionScore::kNone;
  });
  Member& first = members.front();
  return {std::move(first.tokenizers),
          std::move(first.loaded.config),
          std::make_shared<ModelEnsemble>(std::move(networks), options.weights, options.average),
          device.is_cpu() ? threads : 1,
          attention,
          first.loaded.card.training_text};
}

}  // namespace nmt
