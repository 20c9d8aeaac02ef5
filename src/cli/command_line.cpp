#include "cli/command_line.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/strings.h"
#include "cli/standard_streams.h"
#include "config/describe.h"

namespace nmt {

namespace {

constexpr const char* kVersion = "nmt " NMT_VERSION;

// The innermost verb that the arguments named.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

// "nmt config show"
std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

std::string help_of(const CLI::App& app) {
  return app.help(app.get_parent() == nullptr ? "" : full_name(*app.get_parent()));
}

std::string see_help(const CLI::App& app) { return " See '" + full_name(app) + " --help'."; }

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool needs_inner_verb(const CLI::App& app) { return !verbs_of(app).empty(); }

bool is_flag(const std::string& text) { return text.size() > 1 && text[0] == '-' && text != "--"; }

// " MODEL is given without a flag.", of a verb whose arguments are.
std::string about_positionals(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_positional()) names.push_back(option->get_name());
  }
  if (names.empty()) return "";
  return " " + join(names, " and ") + (names.size() == 1 ? " is" : " are") + " given without a flag.";
}

[[noreturn]] void throw_unknown_flag(const CLI::App& verb, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  const std::string spelled = name[1] == '-' ? name : "-" + name;
  const std::string hint = did_you_mean(spelled, flags_of(verb));
  throw UsageError("Unknown flag " + name + " of '" + full_name(verb) + "'." +
                   (hint.empty() ? about_positionals(verb) + see_help(verb) : hint));
}

[[noreturn]] void throw_unknown_verb(const CLI::App& verb, const std::string& argument) {
  std::vector<std::string> candidates = verbs_of(verb);
  candidates.emplace_back("help");
  const std::string hint = did_you_mean(argument, candidates);
  throw UsageError("'" + full_name(verb) + "' has no verb '" + argument + "'." +
                   (hint.empty() ? " Its verbs are " + join(verbs_of(verb), ", ") + "." : hint));
}

// `arguments` in the parser's order. A verb is named before the flags that would be its own, a flag before the values
// that seem to be left over because of it. `advice` is the verb's about stray arguments.
[[noreturn]] void throw_unexpected(const CLI::App& verb, const std::vector<std::string>& arguments,
                                   const std::string& advice) {
  if (needs_inner_verb(verb) && !is_flag(arguments.front())) throw_unknown_verb(verb, arguments.front());
  const auto flag = std::find_if(arguments.begin(), arguments.end(), is_flag);
  if (flag != arguments.end()) throw_unknown_flag(verb, *flag);
  throw UsageError("Unexpected argument '" + arguments.front() + "' of '" + full_name(verb) + "'." +
                   (advice.empty() ? see_help(verb) : " " + advice));
}

// What the parser found wrong, in our words. An argument that nothing knows goes first: what else is missing often
// follows from it.
[[noreturn]] void throw_usage_error(const CLI::App& root, const CLI::ParseError& problem, const std::string& advice) {
  const CLI::App& verb = innermost(root);
  if (!root.remaining().empty()) throw_unexpected(root, root.remaining(), "");
  if (!verb.remaining().empty()) throw_unexpected(verb, verb.remaining(), advice);
  const std::string text = problem.what();
  switch (static_cast<CLI::ExitCodes>(problem.get_exit_code())) {
    case CLI::ExitCodes::ArgumentMismatch:
      throw UsageError(text.substr(0, text.find(':')) +
                       (text.find(": At Most ") == std::string::npos ? " needs a value."
                                                                     : " takes one value but is given twice or more.") +
                       see_help(verb));
    case CLI::ExitCodes::RequiredError:
    case CLI::ExitCodes::RequiresError:
    case CLI::ExitCodes::ExcludesError: throw UsageError(text + "." + see_help(verb));
    default: throw UsageError(text + (text.ends_with('.') || text.ends_with('?') ? "" : "."));
  }
}

void refuse_empty_paths(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type == "FILE" || type == "DIR") option->check(not_empty());
  }
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) refuse_empty_paths(*verb);
}

template <class Number>
bool parse_all(const std::string& text, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size();
}

template <class Number>
CLI::Validator number_validator(const Range& range) {
  const auto check = [range](const std::string& text) -> std::string {
    Number number{};
    if (parse_all(text, number) && in_range(static_cast<double>(number), range)) return "";
    return "expected " + describe_values(number, range) + ", found '" + text + "'.";
  };
  return CLI::Validator(check, "");
}

}  // namespace

CommandLine::CommandLine() : root_("Trains translators on your own text and translates with them.", "nmt") {
  root_.require_subcommand(0, 1);
  add_common_flags(root_);
  root_.get_formatter()->column_width(34);
  root_.get_formatter()->label("SUBCOMMAND", "VERB");
  root_.footer(
      "Example:\n  nmt train --config my.json\n  nmt translate --model runs/my < text.fr\n\n"
      "'nmt VERB --help' tells the flags of a verb. Results go to standard output, everything else to standard\n"
      "error. Exit codes: 0 done, 1 internal error or training that diverged, 2 usage or configuration, 3 text,\n"
      "4 model, 5 device, memory or disk, 130 interrupted.\n");
}

CLI::App& CommandLine::add_verb(const std::string& name, const std::string& description, const std::string& footer) {
  return add_verb(root_, name, description, footer);
}

CLI::App& CommandLine::add_verb(CLI::App& outer, const std::string& name, const std::string& description,
                                const std::string& footer) {
  CLI::App& verb = *outer.add_subcommand(name, description);
  verb.group("Verbs");
  verb.footer(footer);
  verb.require_subcommand(0, 1);
  add_common_flags(verb);
  return verb;
}

void CommandLine::add_common_flags(CLI::App& verb) {
  verb.set_version_flag("--version", kVersion, "Print the version and exit");
  verb.add_flag_callback(
      "--quiet", [this] { verbosity_ = log::Verbosity::kQuiet; }, "Only warnings and errors on standard error");
  verb.add_flag_callback(
      "--verbose", [this] { verbosity_ = log::Verbosity::kVerbose; }, "More on standard error");
}

void CommandLine::on_run(CLI::App& verb, std::function<void()> body) {
  verb.final_callback([this, body = std::move(body)] { chosen_ = body; });
}

void CommandLine::only_with(CLI::App& verb, const std::vector<std::string>& flags,
                            const std::vector<std::string>& needed, size_t times) {
  refuse_idle(verb, flags, [&verb, needed, times] {
    for (const std::string& other : needed) {
      if (verb.get_option(other)->count() >= times) return std::string();
    }
    return times > 1 ? "with one " + needed.front() : "without " + join(needed, " or ");
  });
}

void CommandLine::refuse_idle(CLI::App& verb, const std::vector<std::string>& flags, std::function<std::string()> why) {
  rules_.emplace_back([&verb, flags, why = std::move(why)] {
    for (const std::string& flag : flags) {
      if (!verb.parsed() || verb.get_option(flag)->count() == 0) continue;
      const std::string reason = why();
      if (!reason.empty()) throw UsageError(fmt::format("{} does nothing {}.{}", flag, reason, see_help(verb)));
    }
  });
}

void CommandLine::advise_on_strays(const CLI::App& verb, std::string advice) { advice_[&verb] = std::move(advice); }

void CommandLine::run(std::vector<std::string> arguments) {
  refuse_empty_paths(root_);
  if (!arguments.empty() && arguments.front() == "help") {  // nmt help train = nmt train --help
    std::rotate(arguments.begin(), arguments.begin() + 1, arguments.end());
    arguments.back() = "--help";
  }
  std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 wants
  try {
    root_.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    write_standard_output(help_of(innermost(root_)));
    return;
  } catch (const CLI::CallForVersion& version) {
    write_standard_output(std::string(version.what()) + "\n");
    return;
  } catch (const CLI::ParseError& problem) {
    throw_usage_error(root_, problem, advice_[&innermost(root_)]);
  }
  const CLI::App& verb = innermost(root_);
  if (&verb == &root_) std::fputs(help_of(root_).c_str(), stderr);
  if (needs_inner_verb(verb)) {
    throw UsageError("'" + full_name(verb) + "' needs a verb: " + join(verbs_of(verb), ", ") + "." + see_help(verb));
  }
  for (const auto& rule : rules_) rule();
  log::configure(verbosity_);
  chosen_();
}

CLI::Validator whole_number_in(const Range& range) { return number_validator<int64_t>(range); }
CLI::Validator number_in(const Range& range) { return number_validator<double>(range); }

CLI::Validator not_empty() {
  const auto check = [](const std::string& text) {
    return std::string(text.empty() ? "expected a path, found nothing." : "");
  };
  return CLI::Validator(check, "");
}

CLI::Option* may_repeat(CLI::Option* option) { return option->expected(1)->take_all()->allow_extra_args(false); }

CLI::Validator one_of(std::vector<std::string> names) {
  const auto check = [names = std::move(names)](const std::string& text) -> std::string {
    if (std::find(names.begin(), names.end(), text) != names.end()) return "";
    return "expected one of " + join(names, ", ") + ", found '" + text + "'." + did_you_mean(text, names);
  };
  return CLI::Validator(check, "");
}

}  // namespace nmt
