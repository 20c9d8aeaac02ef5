// What nmt::Translator does to the process that it runs in: threads, libraries, signals.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <nmt/translator.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "number_words.h"

namespace nmt::test {
namespace {

TEST(PublicTranslator, SeveralThreadsGetWhatOneGets) {
  const std::vector<std::string> lines = number_lines(60);
  TranslationOptions options;
  options.n_best = 2;
  const Translator alone(kModel, on_cpu(1));
  const std::string expected = dump(alone.translate_lines(lines, options));
  const Translator shared(kModel, on_cpu(1));
  const Translator wide(kModel, on_cpu(3));  // threads of its own, at the same time
  std::vector<std::string> found(6);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      if (t % 3 == 0) {
        found[t] = dump(wide.translate_lines(lines, options));
      } else if (t % 3 == 1) {
        found[t] = dump(shared.translate_lines(lines, options));
      } else {
        for (const std::string& line : lines) found[t] += dump({shared.translate(line, options)});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < found.size(); ++t) EXPECT_EQ(found[t], expected) << "thread " << t;
}

TEST(PublicTranslator, LoadsLibTorchWithTheFirstModelOnly) {
  const auto loaded = [](const char* name) { return ::dlopen(name, RTLD_NOW | RTLD_NOLOAD) != nullptr; };
  if (loaded("libnmt_torch.so")) GTEST_SKIP() << "another test of this process has loaded it; ctest runs each alone";
  EXPECT_FALSE(loaded("libtorch_cpu.so"));
  EXPECT_THROW(Translator("", TranslatorOptions{.threads = -1}), Error);  // refused before anything is loaded
  EXPECT_FALSE(loaded("libtorch_cpu.so"));
  const Translator translator(kModel, on_cpu());
  EXPECT_TRUE(loaded("libtorch_cpu.so"));
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, "nmt_open_backend"), nullptr) << "its symbols are the program's now";
}

TEST(PublicTranslator, LeavesTheProcessAsItWas) {
  std::signal(SIGTERM, [](int) {});
  const int signals[] = {SIGINT, SIGTERM, SIGPIPE, SIGSEGV, SIGABRT};
  const auto state = [&signals] {
    std::string all = std::setlocale(LC_ALL, nullptr);
    for (const int signal : signals) {
      struct sigaction action = {};
      ::sigaction(signal, nullptr, &action);
      std::ostringstream address;
      address << reinterpret_cast<const void*>(action.sa_handler);
      all += " " + address.str();
    }
    for (char** variable = environ; *variable != nullptr; ++variable) all += std::string("\n") + *variable;
    return all;
  };
  const std::string before = state();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  {
    const Translator translator(kModel, on_cpu(2));
    translator.translate_lines(number_lines(70));
    EXPECT_THROW(Translator("/nowhere"), Error);
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(state(), before);
}

// A program that uses LibTorch too keeps its number of threads, however calls overlap.
TEST(PublicTranslator, LeavesLibTorchsNumberOfThreadsAsItWas) {
  const Translator one(kModel, on_cpu(1));
  void* const torch = ::dlopen("libtorch_cpu.so", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(torch, nullptr);
  const auto set_threads = reinterpret_cast<void (*)(int)>(::dlsym(torch, "_ZN2at15set_num_threadsEi"));
  const auto threads_now = reinterpret_cast<int (*)()>(::dlsym(torch, "_ZN2at15get_num_threadsEv"));
  ASSERT_TRUE(set_threads != nullptr && threads_now != nullptr);
  set_threads(5);
  const Translator two(kModel, on_cpu(2));
  EXPECT_EQ(threads_now(), 5);
  const std::vector<std::string> lines = number_lines(200);
  std::vector<std::thread> callers;
  for (const Translator* translator : {&one, &two, &one}) {
    callers.emplace_back([translator, &lines] {
      for (int i = 0; i < 10; ++i) translator->translate_lines(lines);
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(threads_now(), 5);
  int of_a_new_thread = 0;
  std::thread([&] { of_a_new_thread = threads_now(); }).join();
  EXPECT_EQ(of_a_new_thread, 5);
}

}  // namespace
}  // namespace nmt::test
