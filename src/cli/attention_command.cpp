#include "cli/attention_command.h"

#include <cctype>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/paired_lines.h"
#include "cli/library_loader.h"
#include "cli/output_path.h"
#include "cli/shared_flags.h"
#include "cli/torch_verbs.h"

namespace nmt {

namespace {

constexpr const char* kFooter =
    "Example:\n"
    "  nmt attention --model runs/demo --source 'Elle aime le thé vert' --output tea.html\n"
    "  nmt attention --model runs/a --model runs/b --source 'la souris' --target 'the mouse' --output both.svg\n"
    "  nmt attention --model runs/demo --input test.fr --target-file test.en --format json > test.json\n"
    "\n"
    "Rows are target tokens, columns source tokens, </s> the end of the sentence; a row tells where the model looked\n"
    "when it chose its token, and sums to 1. Without a target the model's own translation is shown. Several models\n"
    "stand side by side; they needn't have the same tokenizers. html is one page that needs no other file: weights\n"
    "show where the mouse points, or by Tab and arrow keys. Texts without blanks between words want --pieces. See\n"
    "docs/attention.md.\n";

const std::vector<std::string> kFormats = {"html", "svg", "json"};

// By the ending of the file; html for standard output, devices and pipes.
std::string format_by_name(const std::string& output) {
  std::error_code none;
  if (output == "-" || (std::filesystem::exists(output, none) && !std::filesystem::is_regular_file(output, none))) {
    return "html";
  }
  std::string ending = std::filesystem::path(output).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string& format : kFormats) {
    if (ending == "." + format) return format;
  }
  throw UsageError("The ending of --output " + output + " is none of .html, .svg and .json; add one, or say --format.");
}

void check(const AttentionOptions& options) {
  if (options.source.has_value() == !options.input.empty()) {
    throw UsageError("Give either --source TEXT or --input FILE.");
  }
  if (options.source && !options.target_file.empty()) {
    throw UsageError("--target-file goes with --input; a translation of --source is --target TEXT.");
  }
  if (!options.source && options.target) {
    throw UsageError("--target goes with --source; translations of --input are --target-file FILE.");
  }
  if (options.input == "-" && options.target_file == "-") {
    throw UsageError("Only one of --input and --target-file can be standard input.");
  }
  if (!options.target_file.empty()) check_same_line_count(options.input, options.target_file);
}

void add_text_flags(CLI::App& verb, AttentionOptions& options) {
  verb.add_option("--source", options.source, "A sentence")->type_name("TEXT");
  verb.add_option("--target", options.target, "Its translation [the model's own]")->type_name("TEXT");
  verb.add_option("--input", options.input, "Sentences, one a line, in place of --source; - is standard input")
      ->type_name("FILE");
  verb.add_option("--target-file", options.target_file, "Their translations, line by line [the model's own]")
      ->type_name("FILE");
}

}  // namespace

void add_attention_command(CommandLine& line) {
  auto options = std::make_shared<AttentionOptions>();
  CLI::App& verb = line.add_verb("attention", "Show where a model looks while it translates", kFooter);
  may_repeat(
      verb.add_option("--model", options->models, "Model or run directory; may repeat, several are shown side by side"))
      ->type_name("DIR")
      ->required();
  add_text_flags(verb, *options);
  verb.add_flag("--pieces", options->pieces, "Rows and columns are the model's pieces instead of words");
  verb.add_option("--format", options->format, "html, svg or json [by the ending of --output; html for -]")
      ->type_name("KIND")
      ->check(one_of(kFormats));
  add_output_flag(verb, options->output, "Where it goes; - is standard output")->capture_default_str();
  add_device_flags(verb, options->device, options->threads);
  line.advise_on_strays(verb,
                        "Sentences are given by --source TEXT or --input FILE, each model by a --model of its own.");
  line.on_run(verb, [options] {
    if (options->format.empty()) options->format = format_by_name(options->output);
    check_output(options->output, {options->input, options->target_file});
    check(*options);
    call_torch_verb<decltype(nmt_attention)>("nmt_attention", *options);
  });
}

}  // namespace nmt
