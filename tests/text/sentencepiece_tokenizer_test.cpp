#include "text/sentencepiece_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sentencepiece_trainer.h>

#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "support/shared.h"
#include "support/temporary_folder.h"
#include "text/normalize.h"
#include "text/tokenizer_trainer.h"

namespace nmt {
namespace {

using testing::HasSubstr;

constexpr const char* kText =
    "The cat sits on the mat.\nThe dog sees the cat.\nA mouse sees the dog and the cat.\n"
    "Thé vert, s'il vous plaît.\nLe chat voit la souris.\nLa souris voit le thé vert.\n";

TokenizerTraining training_on(const std::string& file, TokenizerType type, bool byte_fallback = true) {
  TokenizerTraining options;
  options.files = {file};
  options.type = type;
  options.vocab_size = AutoSize{0};
  options.byte_fallback = byte_fallback;
  options.character_coverage = 1;
  return options;
}

std::shared_ptr<const Tokenizer> small_tokenizer(TokenizerType type, bool byte_fallback = true) {
  const test::TemporaryFolder folder;
  const auto made = train_tokenizer(training_on(folder.file("t", kText), type, byte_fallback));
  return make_sentencepiece_tokenizer(made.model, Normalization::kNfc, "test");
}

// Lines that tend to break tokenizers. None has the word mark U+2581, which stands for a blank.
std::vector<std::string> nasty_lines() {
  return {"a  b   c",
          "tab\there",
          "no\u00A0break \u202Fthin",
          "\u3000ideographic\u3000blank\u3000",
          "zero\u200Bwidth\u200Djoiner \uFEFFbom",
          "emoji \U0001F600\U0001F469\u200D\U0001F4BB\U0001F1EB\U0001F1F7",
          "\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627 \u202Ertl\u202C",
          "e\u0301 combining n\u0303 \u1E9B\u0323",
          std::string("nul\0in\0side", 11),
          "bell\a esc\x1b[31m del\x7f",
          "cr\rinside, line sep\u2028para\u2029 nel\u0085x",
          "<s> </s> <unk> <pad> <0x41> <0x0A>",
          "\u2047 and \u2585 and \uFFFD",
          "@@ subword@@ s",
          "\U0010FFFF\uFFFE\uE000 private",
          "\u4E2D\u6587\u6CA1\u6709\u7A7A\u683C \u65E5\u672C\u8A9E\u3082",
          "\u0915\u094D\u0937\u0924\u094D\u0930\u093F\u092F",
          "\u1ECFa \u0254\u0301\u0256\u025B\u0300",
          std::string(5000, 'x'),
          "-- --model \\ \" ' % {} $HOME"};
}

class RoundTrip : public testing::TestWithParam<TokenizerType> {};

TEST_P(RoundTrip, DecodeOfEncodeIsTheNormalisedLine) {
  const auto tokenizer = small_tokenizer(GetParam());
  for (const std::string& line : nasty_lines()) {
    const auto ids = tokenizer->encode(line);
    for (const PieceId id : ids) {
      ASSERT_GE(id, kSpecialPieces);
      ASSERT_LT(id, tokenizer->vocab_size());
    }
    EXPECT_EQ(tokenizer->decode(ids), normalize(line, Normalization::kNfc)) << line;
    for (uint64_t seed = 0; seed < 3; ++seed) {
      EXPECT_EQ(tokenizer->decode(tokenizer->resample(ids, 0.3, seed)), normalize(line, Normalization::kNfc)) << line;
    }
  }
}

TEST_P(RoundTrip, HoldsForRandomCodePoints) {
  const auto tokenizer = small_tokenizer(GetParam());
  SplitMix64 random(3);
  for (int i = 0; i < 500; ++i) {
    std::string line;
    for (uint64_t length = random.below(40); length > 0; --length) {
      const auto c = static_cast<char32_t>(random.below(random.below(2) == 0 ? 0x250 : 0x110000));
      if ((c >= 0xD800 && c < 0xE000) || c == U'\n' || c == 0x2581) continue;
      if (c < 0x80) {
        line += static_cast<char>(c);
      } else if (c < 0x800) {
        line += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 63))};
      } else if (c < 0x10000) {
        line += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
                 static_cast<char>(0x80 | (c & 63))};
      } else {
        line += {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 63)),
                 static_cast<char>(0x80 | (c >> 6 & 63)), static_cast<char>(0x80 | (c & 63))};
      }
    }
    EXPECT_EQ(tokenizer->decode(tokenizer->encode(line)), normalize(line, Normalization::kNfc)) << line;
  }
}

TEST_P(RoundTrip, HoldsForRealCorpora) {
  const std::vector<std::string> files = {"tanaka-en-ja/dev.ja",   "tatoeba-en-zh/dev.zh",
                                          "ddtp-en-ru/dev.ru",     "flores-v1-ne-en/wikipedia.dev.ne-en.ne",
                                          "mafand-fr-fon/dev.fon", "iwslt15-en-vi-eval/tst2012.vi",
                                          "multi30k/val.de"};
  for (const std::string& name : files) NMT_SKIP_WITHOUT_SHARED("data/" + name);
  for (const std::string& name : files) {
    const std::string path = (test::shared_folder() / "data" / name).string();
    TokenizerTraining options = training_on(path, GetParam());
    options.character_coverage = 0.995;  // some characters are left to the bytes
    const auto tokenizer = make_sentencepiece_tokenizer(train_tokenizer(options).model, Normalization::kNfc, "test");
    int64_t lines = 0;
    for (const std::string& line : read_lines(path)) {
      if (line.find("\u2581") != std::string::npos) continue;
      const auto ids = tokenizer->encode(line);
      ASSERT_EQ(tokenizer->decode(ids), normalize(line, Normalization::kNfc)) << name;
      if (++lines % 10 == 0) {
        ASSERT_EQ(tokenizer->decode(tokenizer->resample(ids, 0.2, 1)), normalize(line, Normalization::kNfc)) << name;
      }
    }
    EXPECT_GE(lines, 500) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, RoundTrip, testing::Values(TokenizerType::kBpe, TokenizerType::kUnigram),
                         [](const auto& type) { return std::string(name_of(type.param)); });

TEST(SentencePieceTokenizer, SpecialPieces) {
  const auto tokenizer = small_tokenizer(TokenizerType::kBpe, false);
  EXPECT_EQ(tokenizer->piece(kPadId), "<pad>");
  EXPECT_EQ(tokenizer->piece(kUnkId), "<unk>");
  EXPECT_EQ(tokenizer->piece(kBosId), "<s>");
  EXPECT_EQ(tokenizer->piece(kEosId), "</s>");
  auto ids = tokenizer->encode("The cat");
  ids.insert(ids.begin(), kBosId);
  ids.insert(ids.end(), {kEosId, kPadId, kPadId, -1, 1 << 20});
  EXPECT_EQ(tokenizer->decode(ids), "The cat");
  EXPECT_EQ(tokenizer->decode({}), "");
  EXPECT_TRUE(tokenizer->encode("").empty());
  EXPECT_TRUE(tokenizer->encode(" \u00A0\t").empty());
}

TEST(SentencePieceTokenizer, UnknownIsOneMarkWithoutBlanks) {
  const auto tokenizer = small_tokenizer(TokenizerType::kBpe, false);
  const auto ids = tokenizer->encode("The \u4E2D cat");
  EXPECT_EQ(std::count(ids.begin(), ids.end(), kUnkId), 1);
  EXPECT_EQ(tokenizer->decode(ids), "The \u2047 cat");
  EXPECT_EQ(tokenizer->decode(tokenizer->resample(ids, 0.5, 2)), "The \u2047 cat");
}

TEST(SentencePieceTokenizer, DecodedTextIsOneLineOfUtf8) {
  const auto tokenizer = small_tokenizer(TokenizerType::kBpe);
  std::vector<PieceId> byte(256);
  for (PieceId id = 0; id < tokenizer->vocab_size(); ++id) {
    const std::string piece = tokenizer->piece(id);
    if (piece.rfind("<0x", 0) == 0) byte[static_cast<size_t>(std::stoi(piece.substr(3, 2), nullptr, 16))] = id;
  }
  EXPECT_EQ(tokenizer->decode(std::vector<PieceId>{byte['a'], byte['\n'], byte['b']}), "a b");
  EXPECT_EQ(tokenizer->decode(std::vector<PieceId>{byte['a'], byte[0xC3], byte['b']}), "a\uFFFDb");
  EXPECT_EQ(tokenizer->decode(std::vector<PieceId>{byte[0xC3], byte[0xA9]}), "\u00E9");
}

TEST(SentencePieceTokenizer, ResamplingDependsOnTheSeedOnly) {
  const auto tokenizer = small_tokenizer(TokenizerType::kUnigram);
  const auto ids = tokenizer->encode("The mouse sees the dog and the cat.");
  EXPECT_EQ(tokenizer->resample(ids, 0.2, 7), tokenizer->resample(ids, 0.2, 7));
  int different = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) different += tokenizer->resample(ids, 0.2, seed) != ids;
  EXPECT_GT(different, 10);
}

TEST(SentencePieceTokenizer, ThreadsGiveTheSamePieces) {
  const auto tokenizer = small_tokenizer(TokenizerType::kUnigram);
  const auto lines = nasty_lines();
  std::vector<std::vector<PieceId>> expected;
  for (const auto& line : lines) expected.push_back(tokenizer->encode(line));
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& mine : wrong) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        for (size_t i = 0; i < lines.size(); ++i) mine += tokenizer->encode(lines[i]) != expected[i];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, testing::Each(0));
}

TEST(SentencePieceTokenizer, ForeignSpecialIdsAreRefused) {
  const test::TemporaryFolder folder;
  const std::string prefix = (folder.path() / "foreign").string();
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      {{"input", folder.file("t", kText)}, {"model_prefix", prefix}, {"vocab_size", "40"}, {"minloglevel", "3"}});
  ASSERT_TRUE(status.ok()) << status.message();
  try {
    load_sentencepiece_tokenizer(prefix + ".model", Normalization::kNfc);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("pad none, unk 0, bos 1, eos 2"));
    EXPECT_THAT(error.what(), HasSubstr("--pad_id=0 --unk_id=1 --bos_id=2 --eos_id=3"));
    EXPECT_THAT(error.what(), HasSubstr(prefix + ".model"));
  }
}

TEST(SentencePieceTokenizer, GarbageIsAModelError) {
  const auto load = [](const std::string& bytes) { make_sentencepiece_tokenizer(bytes, Normalization::kNfc, "x.spm"); };
  EXPECT_THROW(load(""), ModelError);
  EXPECT_THROW(load("hello"), ModelError);
  EXPECT_THROW(load(std::string(1000, '\0')), ModelError);
  EXPECT_THROW(load(std::string(1000, '\xFF')), ModelError);
  EXPECT_THROW(load_sentencepiece_tokenizer("/nowhere/x.spm", Normalization::kNfc), ModelError);
  EXPECT_THROW(load_sentencepiece_tokenizer("/", Normalization::kNfc), ModelError);
}

TEST(SentencePieceTokenizer, TruncatedAndDamagedModelsNeverCrash) {
  const std::string good = small_tokenizer(TokenizerType::kUnigram)->serialized();
  const auto use = [](const std::string& bytes) {
    const auto tokenizer = make_sentencepiece_tokenizer(bytes, Normalization::kNfc, "x.spm");
    tokenizer->decode(tokenizer->resample(tokenizer->encode("The cat sees\u00E9 \u4E2D."), 0.5, 1));
  };
  for (size_t length = 0; length < good.size(); length += 1 + length / 50) {
    try {
      use(good.substr(0, length));
    } catch (const Error&) {
    }
  }
  SplitMix64 random(11);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = good;
    for (uint64_t flips = 1 + random.below(4); flips > 0; --flips) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.next());
    }
    try {
      use(bytes);
    } catch (const Error&) {
    }
  }
}

TEST(SentencePieceTokenizer, KeepsItsBytesAndTheirDigest) {
  const auto tokenizer = small_tokenizer(TokenizerType::kBpe);
  EXPECT_EQ(tokenizer->digest(), sha256(tokenizer->serialized()));
  const auto again = make_sentencepiece_tokenizer(tokenizer->serialized(), Normalization::kNfc, "again");
  EXPECT_EQ(again->encode("The cat sees."), tokenizer->encode("The cat sees."));
}

}  // namespace
}  // namespace nmt
