#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string gzipped(const test::TemporaryFolder& folder, const std::string& text, const char* mode = "wb") {
  const std::string path = (folder.path() / "packed").string();
  const gzFile file = gzopen(path.c_str(), mode);
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return path;
}

TEST(LineReader, OnlyLfAndCrlfEndALine) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(read_lines(folder.file("t", "a\r\nb\rc\n\r\n\n\r\rd\r\r\ne\u2028f\u0085g\x0b\x0c\nlast\r")),
              ElementsAre("a", "b\rc", "", "", "\r\rd\r", "e\u2028f\u0085g\x0b\x0c", "last\r"));
  EXPECT_THAT(read_lines(folder.file("t", std::string("a\0b\n\0", 5))),
              ElementsAre(std::string("a\0b", 3), std::string("\0", 1)));
  EXPECT_THAT(read_lines(folder.file("t", "")), ElementsAre());
  EXPECT_THAT(read_lines(folder.file("t", "\n")), ElementsAre(""));
}

TEST(LineReader, AByteOrderMarkAtTheStartGoesAndNoOther) {
  const test::TemporaryFolder folder;
  const std::string text = "\ufeffa\n\ufeffb\n";
  EXPECT_THAT(read_lines(folder.file("t", text)), ElementsAre("a", "\ufeffb"));
  EXPECT_THAT(read_lines(gzipped(folder, text)), ElementsAre("a", "\ufeffb"));
}

TEST(LineReader, LinesMeetTheEndsOfBuffersInEveryWay) {
  const test::TemporaryFolder folder;
  const size_t buffer = 1 << 16;
  for (size_t length = buffer - 3; length <= buffer + 3; ++length) {
    for (const std::string end : {"\n", "\r\n"}) {
      const std::string text = std::string(length, 'x') + end + "y" + end;
      EXPECT_THAT(read_lines(folder.file("t", text)), ElementsAre(std::string(length, 'x'), "y")) << length;
      EXPECT_THAT(read_lines(gzipped(folder, text)), ElementsAre(std::string(length, 'x'), "y")) << length;
    }
  }
}

TEST(LineReader, GzipMembersFollowEachOther) {
  const test::TemporaryFolder folder;
  gzipped(folder, "one\ntw");
  EXPECT_THAT(read_lines(gzipped(folder, "o\nthree", "ab")), ElementsAre("one", "two", "three"));
}

TEST(LineReader, ATruncatedOrDamagedGzipIsAnErrorThatNamesIt) {
  const test::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string whole = read_file(gzipped(folder, text));
  for (const size_t bytes : {size_t{2}, size_t{11}, whole.size() / 2, whole.size() - 9, whole.size() - 1}) {
    try {
      read_lines(folder.file("cut.gz", whole.substr(0, bytes)));
      ADD_FAILURE() << bytes;
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), HasSubstr("cut.gz"));
    }
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 0x55;
  EXPECT_THROW(read_lines(folder.file("damaged.gz", damaged)), DataError);
  EXPECT_THROW(read_lines("/nowhere"), DataError);
}

// The first byte tells that a stream isn't gzip, unless it is the first of gzip's two.
TEST(LineReader, WaitsForNoMoreThanTheLine) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    const int to = ::open(path.c_str(), O_WRONLY);
    const std::string started = (folder.path() / "read").string();
    EXPECT_EQ(::write(to, "\n", 1), 1);
    for (int i = 0; i < 1000 && ::access(started.c_str(), F_OK) != 0; ++i) ::usleep(10000);
    EXPECT_EQ(::access(started.c_str(), F_OK), 0) << "the empty line hasn't come through";
    ::close(to);
  });
  LineReader reader(path);
  std::string line = "x";
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "");
  EXPECT_TRUE(reader.would_block());
  folder.file("read", "");
  EXPECT_FALSE(reader.next(line));
  EXPECT_FALSE(reader.would_block());
  writer.join();
}

}  // namespace
}  // namespace nmt
