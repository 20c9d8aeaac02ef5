#include "cli/verbs.h"

#include "cli/attention_command.h"
#include "cli/average_command.h"
#include "cli/config_command.h"
#include "cli/eval_command.h"
#include "cli/export_command.h"
#include "cli/inspect_command.h"
#include "cli/score_command.h"
#include "cli/tokenizer_command.h"
#include "cli/train_command.h"
#include "cli/translate_command.h"

namespace nmt {

void add_all_verbs(CommandLine& line) {
  add_train_command(line);
  add_translate_command(line);
  add_eval_command(line);
  add_score_command(line);
  add_attention_command(line);
  add_inspect_command(line);
  add_export_command(line);
  add_average_command(line);
  add_tokenizer_command(line);
  add_config_command(line);
}

}  // namespace nmt
