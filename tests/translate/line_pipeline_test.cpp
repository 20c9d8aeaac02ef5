#include "translate/line_pipeline.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "base/counted.h"
#include "base/error.h"
#include "base/stop.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using test::TemporaryFolder;

std::vector<std::string> bracket(const std::vector<std::string>& lines, int64_t) {
  std::vector<std::string> out;
  for (const std::string& line : lines) out.push_back("[" + line + "]");
  return out;
}

std::string numbered(int count, const std::string& wrap = "") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += wrap.empty() ? std::to_string(i) : wrap.substr(0, 1) + std::to_string(i) + wrap.substr(1);
    text += '\n';
  }
  return text;
}

template <class Kind, class Body>
std::string message_of(Body body) {
  try {
    body();
  } catch (const Kind& error) {
    return error.what();
  }
  return "";
}

TEST(LinePipeline, AsManyLinesOutAsInAroundEveryWindowSize) {
  const TemporaryFolder folder;
  PipelineOptions options;
  options.first_window = 4;
  options.largest_window = 16;  // windows of 4, 8, 16, 16, ...
  for (int count = 0; count <= 70; ++count) {
    LineReader reader(folder.file("in", numbered(count)));
    LineWriter writer((folder.path() / "out").string());
    EXPECT_EQ(run_line_pipeline(reader, writer, bracket, options), count);
    writer.finish();
    EXPECT_EQ(read_file(folder.path() / "out"), numbered(count, "[]"));
  }
}

TEST(LinePipeline, WindowsGrowAndAreBoundInBytes) {
  const TemporaryFolder folder;
  std::vector<size_t> windows;
  std::vector<int64_t> firsts;
  const LineTranslator note = [&](const std::vector<std::string>& lines, int64_t first) {
    windows.push_back(lines.size());
    firsts.push_back(first);
    return lines;
  };
  PipelineOptions options;
  options.first_window = 2;
  options.largest_window = 8;
  LineReader reader(folder.file("in", numbered(25)));
  LineWriter writer((folder.path() / "out").string());
  run_line_pipeline(reader, writer, note, options);
  EXPECT_EQ(windows, (std::vector<size_t>{2, 4, 8, 8, 3}));
  EXPECT_EQ(firsts, (std::vector<int64_t>{1, 3, 7, 15, 23}));
  windows.clear();
  options.largest_bytes = 100;
  options.first_window = 8;
  std::string text(60, 'a');
  text.append("\n").append(60, 'b').append("\n").append(500, 'c').append("\nd\n");
  LineReader wide(folder.file("wide", text));
  run_line_pipeline(wide, writer, note, options);
  EXPECT_EQ(windows, (std::vector<size_t>{2, 1, 1}));
}

TEST(LinePipeline, EachLineIsAnsweredWhileTheWriterWaits) {
  const TemporaryFolder folder;
  const std::string in = (folder.path() / "in").string();
  const std::string out = (folder.path() / "out").string();
  ASSERT_EQ(::mkfifo(in.c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(out.c_str(), 0600), 0);
  std::thread worker([&] {
    LineReader reader(in);
    LineWriter writer(out);
    run_line_pipeline(reader, writer, bracket);
  });
  const int to = ::open(in.c_str(), O_WRONLY);
  const int from = ::open(out.c_str(), O_RDONLY);
  for (const std::string line : {"one\n", "two\n", "th"}) {
    ASSERT_EQ(::write(to, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    if (line.back() != '\n') continue;
    char answer[100];
    const ssize_t got = ::read(from, answer, sizeof answer);  // waits for ever where answers lag behind
    ASSERT_GT(got, 0);
    EXPECT_EQ(std::string(answer, static_cast<size_t>(got)), "[" + line.substr(0, 3) + "]\n");
  }
  ::close(to);
  char answer[100];
  EXPECT_EQ(std::string(answer, static_cast<size_t>(::read(from, answer, sizeof answer))), "[th]\n");
  worker.join();
  ::close(from);
}

TEST(LinePipeline, AStopLeavesWholeResultsOnlyAndSaysWhere) {
  const TemporaryFolder folder;
  PipelineOptions options;
  options.first_window = 3;
  LineReader reader(folder.file("in", numbered(100)));
  const std::string out = (folder.path() / "out").string();
  LineWriter writer(out);
  int calls = 0;
  const LineTranslator stops = [&](const std::vector<std::string>& lines, int64_t first) {
    if (++calls == 2) request_stop();
    return bracket(lines, first);
  };
  try {
    run_line_pipeline(reader, writer, stops, options);
    ADD_FAILURE() << "not interrupted";
  } catch (const InterruptedError& error) {
    EXPECT_NE(std::string(error.what()).find("9 lines are written to " + out + ".partial"), std::string::npos)
        << error.what();
  }
  clear_stop_request();
  EXPECT_EQ(read_file(out + ".partial"), numbered(9, "[]"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(LinePipeline, AfterAFailureTheEarlierResultsAreThere) {
  const TemporaryFolder folder;
  PipelineOptions options;
  options.first_window = 3;
  LineReader reader(folder.file("in", numbered(100)));
  const std::string out = (folder.path() / "out").string();
  LineWriter writer(out);
  const LineTranslator fails = [&](const std::vector<std::string>& lines, int64_t first) {
    if (first > 1) throw ResourceError("no memory.");
    return bracket(lines, first);
  };
  EXPECT_EQ(message_of<ResourceError>([&] { run_line_pipeline(reader, writer, fails, options); }),
            "no memory. The results of 3 lines are written to " + out + ".partial.");
  EXPECT_EQ(read_file(out + ".partial"), numbered(3, "[]"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(LinePipeline, LinesBeforeOneThatCannotBeReadAreTranslatedAndWritten) {
  const TemporaryFolder folder;
  for (const int bad : {1, 2, 3, 4, 9}) {
    PipelineOptions options;
    options.first_window = 3;
    options.on_read = [bad](const std::string& line, int64_t number) {
      if (number == bad) throw DataError("line " + line + ".");
    };
    LineReader reader(folder.file("in", numbered(100)));
    const std::string out = (folder.path() / "out").string();
    std::filesystem::remove(out + ".partial");
    LineWriter writer(out);
    const std::string results = bad == 2 ? "1 line" : std::to_string(bad - 1) + " lines";
    EXPECT_EQ(message_of<DataError>([&] { run_line_pipeline(reader, writer, bracket, options); }),
              "line " + std::to_string(bad - 1) + "." +
                  (bad == 1 ? "" : " The results of " + results + " are written to " + out + ".partial."));
    EXPECT_EQ(read_file(out + ".partial"), numbered(bad - 1, "[]"));
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

TEST(LinePipeline, LinesBeforeTheEndOfATruncatedGzipFileAreWritten) {
  const TemporaryFolder folder;
  const std::string plain = folder.file("in", numbered(20000));
  ASSERT_EQ(std::system(("gzip -k " + plain).c_str()), 0);  // NOLINT(bugprone-command-processor)
  const std::string whole = read_file(plain + ".gz");
  LineReader reader(folder.file("cut.gz", whole.substr(0, whole.size() - 100)));
  const std::string out = (folder.path() / "out").string();
  LineWriter writer(out);
  const std::string message = message_of<DataError>([&] { run_line_pipeline(reader, writer, bracket); });
  const std::string written = read_file(out + ".partial");
  EXPECT_TRUE(numbered(20000, "[]").starts_with(written));
  EXPECT_GT(written.size(), numbered(19000, "[]").size());
  EXPECT_EQ(message, "The gzip file " + reader.path() + " ends too early (truncated?). The results of " +
                         counted(std::count(written.begin(), written.end(), '\n'), "line") + " are written to " + out +
                         ".partial.");
}

TEST(LinePipeline, AWrongNumberOfResultsIsADefect) {
  const TemporaryFolder folder;
  LineReader reader(folder.file("in", numbered(5)));
  LineWriter writer((folder.path() / "out").string());
  EXPECT_THROW(run_line_pipeline(reader, writer, [](const auto&, int64_t) { return std::vector<std::string>(4); }),
               InternalError);
}

TEST(LineWriter, WritesToDevicesDirectlyAndNamesWhatItCantWrite) {
  LineWriter null("/dev/null");
  null.write("x\n");
  null.finish();
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
  try {
    const LineWriter nowhere("/nowhere/at/all");
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all"), std::string::npos);
  }
  if (std::filesystem::exists("/dev/full")) {
    LineWriter full("/dev/full");
    EXPECT_THROW(full.write("x\n"), ResourceError);
  }
}

TEST(LineWriter, ASymbolicLinkStaysAndWhatItNamesIsReplaced) {
  const TemporaryFolder folder;
  const std::string file = folder.file("file", "old\n");
  const std::string link = (folder.path() / "link").string();
  std::filesystem::create_symlink("file", link);
  LineWriter writer(link);
  writer.write("new\n");
  EXPECT_EQ(writer.partial_path(), file + ".partial");
  EXPECT_EQ(read_file(file), "old\n");
  writer.finish();
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_file(file), "new\n");
}

TEST(LineWriter, AReaderThatLeavesIsNoError) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  LineWriter writer("/proc/self/fd/" + std::to_string(ends[1]));
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_THROW(writer.write("x\n"), OutputClosed);
  std::signal(SIGPIPE, before);
}

}  // namespace
}  // namespace nmt
