#include "cli/report_error.h"

#include <cstdio>
#include <filesystem>
#include <new>
#include <string>

#include "base/error.h"
#include "base/strings.h"

namespace nmt {

namespace {

int report_as(ErrorKind kind, const std::string& message) {
  const char* prefix = kind == ErrorKind::kInterrupted ? "nmt: " : "nmt: error: ";
  for (const std::string& line : split(message, '\n')) std::fprintf(stderr, "%s%s\n", prefix, line.c_str());
  return static_cast<int>(kind);
}

}  // namespace

int run_and_report(const std::function<void()>& body) {
  try {
    body();
    return 0;
  } catch (const Error& error) {
    return report_as(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    return report_as(ErrorKind::kResource, "Out of memory.");
  } catch (const std::filesystem::filesystem_error& error) {
    return report_as(ErrorKind::kResource, error.path1().string() + ": " + error.code().message() + ".");
  } catch (const std::exception& error) {
    return report_as(ErrorKind::kInternal, std::string("internal error: ") + error.what());
  } catch (...) {
    return report_as(ErrorKind::kInternal, "internal error of unknown kind");
  }
}

}  // namespace nmt
