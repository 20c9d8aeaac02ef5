#include "cli/tokenizer_command.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <memory>
#include <unordered_map>

#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/stop.h"
#include "base/strings.h"
#include "cli/line_output.h"
#include "cli/output_path.h"
#include "config/text_config.h"
#include "text/normalize.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/tokenizer_trainer.h"

namespace nmt {

namespace fs = std::filesystem;

namespace {

struct StreamOptions {
  std::string model;
  std::string input = "-";
  std::string output = "-";
  std::string format = "pieces";
  Normalization normalization = Normalization::kNfc;
  InvalidUtf8 invalid_utf8 = InvalidUtf8::kReplace;
};

template <class Enum>
std::vector<std::string> names_of() {
  return {EnumNames<Enum>::names.begin(), EnumNames<Enum>::names.end()};
}

// A flag whose values are the names of an enumeration.
template <class Enum>
void add_enum(CLI::App& verb, const std::string& flag, Enum& value, const std::string& description) {
  const auto names = names_of<Enum>();
  const auto set = [&value, names](const std::string& text) {
    value = static_cast<Enum>(std::find(names.begin(), names.end(), text) - names.begin());
  };
  verb.add_option_function<std::string>(flag, set, description + " [" + std::string(name_of(value)) + "]")
      ->type_name("NAME")
      ->check(one_of(names));
}

std::string check_vocab_size(const std::string& text) {
  int64_t size = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), size);
  const bool number = code == std::errc() && end == text.data() + text.size() && size >= 1 && size <= 1000000;
  if (number || text == "auto") return "";
  return "expected a whole number between 1 and 1000000, or auto, found '" + text + "'.";
}

void learn(const TokenizerTraining& training, const std::string& output) {
  const TrainedTokenizer made = train_tokenizer(training);
  if (made.size_was_too_large) {
    log::warn("This text allows no vocabulary of {} pieces, the default: the size that suits it was taken (auto).",
              with_thousands(training.vocab_size.value));
  }
  if (!made.warning.empty()) log::warn("{}", made.warning);
  if (made.replaced_lines > 0) {
    log::warn("Invalid UTF-8 was replaced in {}.", counted(made.replaced_lines, "line"));
  }
  write_file_atomic(output, made.model);
  log::info("{}: {} ({}), learned from {} of {}.", output, counted(made.vocab_size, "piece"), name_of(training.type),
            with_thousands(made.lines_used), counted(made.lines_read, "line"));
}

void add_train(CommandLine& line, CLI::App& tokenizer) {
  struct Options {
    TokenizerTraining training;
    std::string vocab_size = "8000";
    std::string output;
  };
  auto options = std::make_shared<Options>();
  TokenizerTraining& training = options->training;
  CLI::App& verb = line.add_verb(
      tokenizer, "train", "Learn a tokenizer from text",
      "Example:\n"
      "  nmt tokenizer train --input train.fr train.en --output joint.spm --vocab-size 8000\n"
      "\n"
      "The result is a SentencePiece model; 'text.source_model' and 'text.target_model' of a configuration\n"
      "take it. The same text, options and seed give the same file. 'nmt train' learns one by itself where\n"
      "the configuration names none. Without --vocab-size a text that is too small for 8000 pieces gets what\n"
      "auto takes, and a warning tells so.\n");
  verb.add_option("--input", training.files,
                  "Text, plain or gzip; several are learned from together; - is standard input")
      ->type_name("FILE")
      ->required();
  add_output_flag(verb, options->output, "The model file")->required();
  verb.add_option("--vocab-size", options->vocab_size, "Pieces, special ones included; auto takes what suits the text")
      ->type_name("N|auto")
      ->check(CLI::Validator(check_vocab_size, ""))
      ->capture_default_str();
  add_enum(verb, "--type", training.type, "bpe or unigram");
  verb.add_flag_callback(
      "--no-byte-fallback", [&training] { training.byte_fallback = false; },
      "Give the unknown piece for unseen characters instead of spelling them as bytes");
  verb.add_option("--character-coverage", training.character_coverage, "Share of characters with a piece of their own")
      ->type_name("SHARE")
      ->check(number_in(between(0.98, 1)))
      ->capture_default_str();
  add_enum(verb, "--normalization", training.normalization, "Unicode form: none, nfc or nfkc");
  add_enum(verb, "--invalid-utf8", training.invalid_utf8, "error, or replace by U+FFFD");
  verb.add_option("--training-lines", training.training_lines, "Lines of each file, drawn at random where it has more")
      ->type_name("N")
      ->check(whole_number_in(at_least(1)))
      ->capture_default_str();
  verb.add_option("--seed", training.seed, "Of that draw")
      ->type_name("N")
      ->check(whole_number_in(at_least(0)))
      ->capture_default_str();
  training.size_name = "--vocab-size";
  line.advise_on_strays(verb, "Text is given by --input FILE.");
  line.on_run(verb, [options, &verb] {
    options->training.auto_if_too_large = verb.get_option("--vocab-size")->count() == 0;
    if (options->vocab_size == "auto") options->training.vocab_size.value = 0;
    if (options->vocab_size != "auto") options->training.vocab_size.value = std::stoll(options->vocab_size);
    check_output(options->output, options->training.files);
    learn(options->training, options->output);
  });
}

// Reads lines, changes each and writes it; what has been read is answered before waiting for more.
void stream_lines(const StreamOptions& options, const std::function<std::string(const std::string&, int64_t)>& change) {
  install_stop_handler();
  LineReader reader(options.input);
  LineOutput output(options.output);
  Utf8Policy policy{options.invalid_utf8};
  for (std::string line; reader.next(line);) {
    policy.apply(line, reader.path(), reader.line_number());
    output.write(change(line, reader.line_number()));
    if (reader.would_block()) output.flush();
    if (stop_requested()) break;
  }
  if (stop_requested()) throw InterruptedError("Interrupted after line " + with_thousands(reader.line_number()) + ".");
  output.finish();
  if (policy.replaced_lines > 0) {
    log::warn("Invalid UTF-8 was replaced in {}.", counted(policy.replaced_lines, "line"));
  }
}

// The tokenizers in a model directory, or of a run in its best one.
std::vector<std::string> tokenizers_in(const fs::path& directory) {
  std::vector<std::string> files;
  std::error_code none;
  for (const fs::path& place : {directory, directory / "best"}) {
    for (const auto& entry : fs::directory_iterator(place, none)) {
      if (entry.path().extension() == ".spm") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::shared_ptr<const Tokenizer> load_tokenizer(const StreamOptions& options) {
  std::error_code none;
  if (fs::is_directory(options.model, none)) {
    const std::vector<std::string> files = tokenizers_in(options.model);
    throw ModelError(options.model + " is a directory; --model takes the file of a tokenizer" +
                     (files.empty() ? ", and it holds none." : ": " + join(files, " or ") + "."));
  }
  return load_sentencepiece_tokenizer(options.model, options.normalization);
}

void encode(const StreamOptions& options) {
  const auto tokenizer = load_tokenizer(options);
  const bool as_ids = options.format == "ids";
  stream_lines(options, [&](const std::string& text, int64_t) {
    std::string out;
    for (const PieceId id : tokenizer->encode(text)) {
      if (!out.empty()) out += ' ';
      out += as_ids ? std::to_string(id) : tokenizer->piece(id);
    }
    return out;
  });
}

std::unordered_map<std::string, PieceId> ids_by_piece(const Tokenizer& tokenizer) {
  std::unordered_map<std::string, PieceId> out;
  for (PieceId id = 0; id < tokenizer.vocab_size(); ++id) out.emplace(tokenizer.piece(id), id);
  return out;
}

PieceId parse_id(const std::string& word, const Tokenizer& tokenizer) {
  PieceId id = -1;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), id);
  if (code != std::errc() || end != word.data() + word.size()) return -1;
  return id < tokenizer.vocab_size() ? id : -1;
}

void decode(const StreamOptions& options) {
  const auto tokenizer = load_tokenizer(options);
  const bool as_ids = options.format == "ids";
  const auto ids_of = as_ids ? std::unordered_map<std::string, PieceId>() : ids_by_piece(*tokenizer);
  const std::string file = options.input == "-" ? "standard input" : options.input;
  stream_lines(options, [&](const std::string& text, int64_t number) {
    std::vector<PieceId> ids;
    for (const std::string& word : split(text, ' ')) {
      if (word.empty()) continue;
      const auto found = ids_of.find(word);
      const PieceId id = as_ids ? parse_id(word, *tokenizer) : found != ids_of.end() ? found->second : -1;
      if (id < 0) {
        const std::string wanted =
            as_ids ? fmt::format("id below {}", tokenizer->vocab_size()) : "piece of " + options.model;
        throw DataError(fmt::format("{}:{}: '{}' is no {}.", file, number, word, wanted));
      }
      ids.push_back(id);
    }
    return tokenizer->decode(ids);
  });
}

CLI::App& add_stream_verb(CommandLine& line, CLI::App& tokenizer, StreamOptions& options, const std::string& name,
                          const std::string& description, const std::string& footer) {
  CLI::App& verb = line.add_verb(tokenizer, name, description, footer);
  verb.add_option("--model", options.model, "The model file")->type_name("FILE")->required();
  verb.add_option("--input", options.input, "Plain or gzip; - is standard input")
      ->type_name("FILE")
      ->capture_default_str();
  add_output_flag(verb, options.output, "- is standard output")->capture_default_str();
  add_enum(verb, "--invalid-utf8", options.invalid_utf8, "error, or replace by U+FFFD");
  line.advise_on_strays(verb, "Text is given by --input FILE.");
  return verb;
}

void add_encode(CommandLine& line, CLI::App& tokenizer) {
  auto options = std::make_shared<StreamOptions>();
  CLI::App& verb = add_stream_verb(line, tokenizer, *options, "encode", "Cut lines into pieces",
                                   "Example:\n"
                                   "  nmt tokenizer encode --model joint.spm < text.fr > text.pieces\n"
                                   "\n"
                                   "One line out for each line in; pieces stand between blanks. White space at the\n"
                                   "ends of a line goes, inside it stays.\n");
  verb.add_option("--output-format", options->format, "pieces or ids")
      ->type_name("NAME")
      ->check(one_of({"pieces", "ids"}))
      ->capture_default_str();
  add_enum(verb, "--normalization", options->normalization, "Unicode form: none, nfc or nfkc");
  line.on_run(verb, [options] {
    check_output(options->output, {options->input, options->model});
    encode(*options);
  });
}

void add_decode(CommandLine& line, CLI::App& tokenizer) {
  auto options = std::make_shared<StreamOptions>();
  CLI::App& verb = add_stream_verb(line, tokenizer, *options, "decode", "Put pieces together again",
                                   "Example:\n"
                                   "  nmt tokenizer decode --model joint.spm < text.pieces > text.fr\n"
                                   "\n"
                                   "One line out for each line in. Special pieces give nothing, an unknown piece\n"
                                   "gives U+2047.\n");
  verb.add_option("--input-format", options->format, "pieces or ids")
      ->type_name("NAME")
      ->check(one_of({"pieces", "ids"}))
      ->capture_default_str();
  line.on_run(verb, [options] {
    check_output(options->output, {options->input, options->model});
    decode(*options);
  });
}

}  // namespace

void add_tokenizer_command(CommandLine& line) {
  CLI::App& verb = line.add_verb("tokenizer", "Learn a tokenizer; cut text into pieces and back",
                                 "Example:\n"
                                 "  nmt tokenizer train --input train.fr train.en --output joint.spm\n"
                                 "  nmt tokenizer encode --model joint.spm < text.fr\n");
  add_train(line, verb);
  add_encode(line, verb);
  add_decode(line, verb);
}

}  // namespace nmt
