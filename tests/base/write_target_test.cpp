#include "base/write_target.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

class Targets : public testing::Test {
 protected:
  fs::path at(const std::string& name) const { return folder_.path() / name; }

  const test::TemporaryFolder folder_;
};

TEST_F(Targets, AFileAndWhatIsNotThereAreReplaced) {
  folder_.file("old", "x");
  for (const char* name : {"old", "new", "no/such/folder"}) {
    EXPECT_EQ(WriteTarget(at(name)).path, at(name));
    EXPECT_TRUE(WriteTarget(at(name)).replaceable);
  }
}

TEST_F(Targets, LinksAreFollowedToTheirEnd) {
  fs::create_directory(at("inner"));
  folder_.file("inner/file", "old");
  fs::create_symlink("inner/second", at("first"));
  fs::create_symlink("file", at("inner/second"));
  fs::create_symlink(at("inner/not yet"), at("hanging"));
  write_file_atomic(at("first"), "new");
  write_file_atomic(at("hanging"), "made");
  EXPECT_EQ(read_file(at("inner/file")), "new");
  EXPECT_EQ(read_file(at("inner/not yet")), "made");
  for (const char* link : {"first", "inner/second", "hanging"}) EXPECT_TRUE(fs::is_symlink(at(link))) << link;
  EXPECT_EQ(std::distance(fs::directory_iterator(at("inner")), fs::directory_iterator()), 3);  // no temporary file
}

// What others may do with a new file is the user's to say (umask), and with one that is there its own.
TEST_F(Targets, PermissionsAreThoseOfAnyFile) {
  folder_.file("old", "x");
  fs::permissions(at("old"), fs::perms{0640});
  const mode_t before = ::umask(0077);
  write_file_atomic(at("private"), "x");
  write_file_atomic(at("old"), "y");
  ::umask(0002);
  write_file_atomic(at("shared"), "x");
  ::umask(before);
  EXPECT_EQ(fs::status(at("private")).permissions(), fs::perms{0600});
  EXPECT_EQ(fs::status(at("shared")).permissions(), fs::perms{0664});
  EXPECT_EQ(fs::status(at("old")).permissions(), fs::perms{0640});
  EXPECT_EQ(read_file(at("old")), "y");
}

TEST_F(Targets, LinksInACircleAreAnError) {
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  EXPECT_THROW(write_file_atomic(at("a"), "x"), ResourceError);
}

TEST_F(Targets, APipeIsWrittenToDirectly) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", at("link"));
  const int from = ::open(at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  write_file_atomic(at("link"), "text");
  char got[10];
  EXPECT_EQ(std::string(got, static_cast<size_t>(::read(from, got, sizeof got))), "text");
  ::close(from);
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

// As --output /dev/stdout >> file.
TEST_F(Targets, AnOpenDescriptorIsWrittenToDirectly) {
  const std::string file = folder_.file("file", "before ");
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND);
  write_file_atomic("/dev/fd/" + std::to_string(descriptor), "and after");
  ::close(descriptor);
  EXPECT_EQ(read_file(file), "before and after");
}

TEST_F(Targets, AFolderIsAnError) { EXPECT_THROW(write_file_atomic(folder_.path(), "x"), ResourceError); }

}  // namespace
}  // namespace nmt
