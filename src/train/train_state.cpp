#include "train/train_state.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

#include "base/error.h"

namespace nmt {

namespace {

using Json = nlohmann::ordered_json;

// Keys and members of each struct, for both directions.
template <class Visitor, class S>
requires std::is_same_v<std::remove_const_t<S>, BatcherPosition>
void visit_members(Visitor& visit, S& position) {
  visit("epoch", position.epoch);
  visit("window_begin", position.window_begin);
  visit("batch", position.batch);
  visit("pairs", position.pairs);
}

template <class Visitor, class S>
requires std::is_same_v<std::remove_const_t<S>, Watch>
void visit_members(Visitor& visit, S& watch) {
  visit("best", watch.best);
  visit("waited", watch.waited);
}

template <class Visitor, class S>
requires std::is_same_v<std::remove_const_t<S>, PlateauState>
void visit_members(Visitor& visit, S& plateau) {
  visit("watch", plateau.watch);
  visit("factor", plateau.factor);
}

template <class Visitor, class S>
requires std::is_same_v<std::remove_const_t<S>, BestCheckpoint>
void visit_members(Visitor& visit, S& best) {
  visit("update", best.update);
  visit("score", best.rank);
}

template <class Visitor, class S>
requires std::is_same_v<std::remove_const_t<S>, LogSums>
void visit_members(Visitor& visit, S& sums) {
  visit("applied", sums.applied);
  visit("skipped", sums.skipped);
  visit("sentences", sums.sentences);
  visit("source_tokens", sums.source_tokens);
  visit("target_tokens", sums.target_tokens);
  visit("loss", sums.loss);
  visit("nll", sums.nll);
  visit("gradient_norm", sums.gradient_norm);
  visit("seconds", sums.seconds);
}

template <class Visitor, class S>
requires std::is_same_v<std::remove_const_t<S>, TrainState>
void visit_members(Visitor& visit, S& state) {
  visit("update", state.update);
  visit("skipped", state.skipped);
  visit("skipped_in_a_row", state.skipped_in_a_row);
  visit("position", state.position);
  visit("seconds", state.seconds);
  visit("plateau", state.plateau);
  visit("patience", state.patience);
  visit("best", state.best);
  visit("validated_update", state.validated_update);
  visit("validated_epochs", state.validated_epochs);
  visit("since_log", state.since_log);
  visit("device", state.device);
  visit("threads", state.threads);
  visit("corpus_digest", state.corpus_digest);
}

struct Writer {
  Json object = Json::object();

  template <class T>
  void operator()(const char* key, const T& member) {
    object[key] = value_of(member);
  }

  template <class T>
  static Json value_of(const T& member) {
    if constexpr (std::is_same_v<T, double>) {
      // JSON has no infinity, and a perplexity may be one.
      if (!std::isfinite(member)) return std::isnan(member) ? "nan" : member > 0 ? "inf" : "-inf";
      return member;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return member;
    } else if constexpr (requires { member.has_value(); }) {
      return member ? value_of(*member) : Json(nullptr);
    } else {
      Writer inner;
      visit_members(inner, member);
      return std::move(inner.object);
    }
  }
};

struct Reader {
  const Json& object;
  const std::string& origin;
  std::string prefix;  // of paths in messages: "" or "since_log."
  std::set<std::string> known = {};

  [[noreturn]] void refuse(const std::string& key, const char* expected) const {
    throw ModelError(origin + ": '" + prefix + key + "' must be " + expected + ".");
  }

  template <class T>
  void operator()(const char* key, T& member) {
    const auto found = object.find(key);
    if (found == object.end()) throw ModelError(origin + " lacks the key '" + prefix + key + "'.");
    known.insert(key);
    read(key, *found, member);
  }

  void refuse_others() const {
    for (const auto& [key, value] : object.items()) {
      if (!known.contains(key)) throw ModelError(origin + " has the unknown key '" + prefix + key + "'.");
    }
  }

  template <class T>
  void read(const std::string& key, const Json& json, T& member) {
    if constexpr (std::is_same_v<T, double>) {
      read_double(key, json, member);
    } else if constexpr (std::is_same_v<T, int64_t>) {
      if (!json.is_number_unsigned()) refuse(key, "a whole number, 0 or more");
      member = json.get<int64_t>();
      if (member < 0) refuse(key, "below 2^63");
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (!json.is_string()) refuse(key, "a string");
      member = json.get<std::string>();
    } else if constexpr (requires { member.has_value(); }) {
      member.reset();
      if (!json.is_null()) read(key, json, member.emplace());
    } else {
      if (!json.is_object()) refuse(key, "an object");
      Reader inner{json, origin, prefix + key + "."};
      visit_members(inner, member);
      inner.refuse_others();
    }
  }

  void read_double(const std::string& key, const Json& json, double& member) const {
    if (json.is_number()) {
      member = json.get<double>();
    } else if (json == "inf" || json == "-inf") {
      member = json == "inf" ? HUGE_VAL : -HUGE_VAL;
    } else if (json == "nan") {
      member = std::nan("");
    } else {
      refuse(key, "a number");
    }
  }
};

}  // namespace

std::string to_json(const TrainState& state) { return Writer::value_of(state).dump(2); }

TrainState parse_train_state(const std::string& text, const std::string& origin) {
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_object()) throw ModelError(origin + " isn't a JSON object.");
  TrainState state;
  Reader reader{root, origin, ""};
  visit_members(reader, state);
  reader.refuse_others();
  return state;
}

}  // namespace nmt
