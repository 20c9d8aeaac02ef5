#include "cli/command_line.h"
#include "cli/report_error.h"
#include "cli/standard_streams.h"
#include "cli/verbs.h"

int main(int argc, char** argv) {
  nmt::prepare_standard_streams();
  return nmt::run_and_report([&] {
    nmt::CommandLine line;
    nmt::add_all_verbs(line);
    line.run({argv + 1, argv + argc});
    nmt::flush_standard_output();
  });
}
