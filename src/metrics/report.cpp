#include "metrics/report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "metrics/text_table.h"

namespace nmt::metrics {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kSignificant = 0.05;

std::string number(double value, const ReportStyle& style) { return fmt::format("{:.{}f}", value, style.width); }

double rounded(double value, const ReportStyle& style) { return std::stod(number(value, style)); }

// "μ = 37.7 ± 3.7", or nothing.
std::string confidence(const MetricResult& result, const ReportStyle& style) {
  if (!result.interval || result.interval->mean <= 0) return "";
  return "μ = " + number(result.interval->mean, style) + " ± " + number(result.interval->half_width, style);
}

std::string figure(const MetricResult& result, const ReportStyle& style) {
  const std::string text = confidence(result, style);
  return number(result.score.value, style) + (text.empty() ? "" : " (" + text + ")");
}

Json by_length_json(const ScoresByLength& scores, const LinesByLength& lines, const ReportStyle& style) {
  Json out = Json::array();
  for (size_t bucket = 0; bucket < kLengthBuckets; ++bucket) {
    const Json score = scores[bucket] ? Json(rounded(*scores[bucket], style)) : Json(nullptr);
    out.push_back({{"source_words", bucket_label(bucket)}, {"lines", lines[bucket]}, {"score", score}});
  }
  return out;
}

// A table for each metric that has scores by length: a column for each bucket, a row for each system.
std::string by_length_text(const std::vector<SystemResult>& systems, const LinesByLength& lines,
                           const ReportStyle& style) {
  std::vector<std::string> header = {"Source words"};
  std::vector<std::string> counts = {"Lines"};
  for (size_t bucket = 0; bucket < kLengthBuckets; ++bucket) {
    header.push_back(bucket_label(bucket));
    counts.push_back(std::to_string(lines[bucket]));
  }
  std::string out;
  for (size_t m = 0; m < systems.front().metrics.size(); ++m) {
    if (!systems.front().metrics[m].by_length) continue;
    const std::string& metric = systems.front().metrics[m].score.name;
    std::vector<std::vector<std::string>> rows = {counts};
    for (const SystemResult& system : systems) {
      std::vector<std::string>& row = rows.emplace_back(1, systems.size() == 1 ? metric : system.name);
      for (const std::optional<double>& score : *system.metrics[m].by_length) {
        row.push_back(score ? number(*score, style) : "-");
      }
    }
    out += "\n" + metric + " by source length\n" + draw_table(header, rows);
  }
  return out;
}

std::string dump(const Json& json, int indent, bool ascii) {
  return json.dump(indent, ' ', ascii, Json::error_handler_t::replace);
}

std::string cell(const MetricResult& result, const ReportStyle& style) {
  std::string out = number(result.score.value, style);
  if (result.interval) {
    out += " (" + number(result.interval->mean, style) + " ± " + number(result.interval->half_width, style) + ")";
  }
  if (result.p_value)
    out += fmt::format("\n(p = {:.4f}){}", *result.p_value, *result.p_value > kSignificant ? "" : "*");
  return out;
}

std::string explain(PairedTest test, size_t samples, const std::string& baseline) {
  if (test == PairedTest::kNone) return "";
  const std::string what = test == PairedTest::kBootstrap
                               ? fmt::format("paired bootstrap resampling, {} samples", samples)
                               : fmt::format("paired approximate randomization, {} trials", samples);
  return "\nEach system is compared with " + baseline + " (" + what +
         ").\np is how often chance alone would make systems of equal quality differ by as much;\n"
         "* marks p <= 0.05. A small p says that the systems differ, not how much that matters.\n";
}

}  // namespace

std::string result_text(const MetricResult& result, const ReportStyle& style) {
  std::string score = figure(result, style);
  if (style.score_only) return score;
  const std::string signature = result.signature.text(style.version, style.short_signature);
  const std::string& verbose = result.score.verbose;
  return result.score.name + "|" + signature + " = " + score + (verbose.empty() ? "" : " " + verbose);
}

Json result_json(const MetricResult& result, const ReportStyle& style, const LinesByLength& lines) {
  Json out = {{"name", result.score.name},
              {"score", rounded(result.score.value, style)},
              {"signature", result.signature.text(style.version)}};
  if (const std::string text = confidence(result, style); !text.empty()) {
    out["confidence_mean"] = rounded(result.interval->mean, style);
    out["confidence_var"] = rounded(result.interval->half_width, style);
    out["confidence"] = text;
  }
  if (!result.score.verbose.empty()) out["verbose_score"] = result.score.verbose;
  for (const Signature::Field& field : result.signature.fields(style.version)) out[field.key] = field.value;
  if (result.by_length) out["by_length"] = by_length_json(*result.by_length, lines, style);
  return out;
}

std::string single_text(const std::vector<MetricResult>& results, const ReportStyle& style,
                        const LinesByLength& lines) {
  std::vector<std::string> texts;
  size_t widest = 0;  // what stands before " = ", which is aligned
  for (const MetricResult& result : results) {
    texts.push_back(result_text(result, style));
    widest = std::max(widest, texts.back().find(" = "));
  }
  std::string out;
  for (const std::string& text : texts) {
    if (!style.score_only) out += std::string(widest - text.find(" = "), ' ');
    out += text + "\n";
  }
  return out + by_length_text({{"", results}}, lines, style);
}

std::string single_json(const std::vector<MetricResult>& results, const ReportStyle& style,
                        const LinesByLength& lines) {
  std::string out;
  for (const MetricResult& result : results) {
    if (!out.empty()) out += ",\n";
    out += style.score_only ? figure(result, style) : dump(result_json(result, style, lines), 1, false);
  }
  return results.size() == 1 ? out + "\n" : "[\n" + out + "\n]\n";
}

std::string systems_text(const std::vector<SystemResult>& systems, PairedTest test, size_t samples,
                         const ReportStyle& style, const LinesByLength& lines) {
  std::vector<std::string> header = {"System"};
  for (const MetricResult& result : systems.front().metrics) {
    header.push_back(result.score.name + (result.interval ? " (μ ± 95% CI)" : ""));
  }
  std::vector<std::vector<std::string>> rows;
  for (const SystemResult& system : systems) {
    std::vector<std::string>& row = rows.emplace_back(1, system.name);
    for (const MetricResult& result : system.metrics) row.push_back(cell(result, style));
  }
  std::string out = draw_table(header, rows) + explain(test, samples, systems.front().name);
  out += "\n-----------------\nMetric signatures\n-----------------\n";
  for (const MetricResult& result : systems.front().metrics) {
    out +=
        fmt::format(" - {:<10} {}\n", result.score.name, result.signature.text(style.version, style.short_signature));
  }
  return out + by_length_text(systems, lines, style);
}

std::string systems_json(const std::vector<SystemResult>& systems, PairedTest test, const ReportStyle& style,
                         const LinesByLength& lines) {
  const auto or_null = [](bool has, double value) { return has ? Json(value) : Json(nullptr); };
  Json out = Json::array();
  for (const SystemResult& system : systems) {
    Json entry = {{"system", system.name}};
    Json by_length = Json::object();
    for (const MetricResult& result : system.metrics) {
      const std::string& name = result.score.name;
      if (result.by_length) by_length[name] = by_length_json(*result.by_length, lines, style);
      if (test == PairedTest::kNone) {
        entry[name] = number(result.score.value, style);
        continue;
      }
      entry[name] = {
          {"score", result.score.value},
          {"p_value", or_null(result.p_value.has_value(), result.p_value.value_or(0))},
          {"mean", or_null(result.interval.has_value(), result.interval.value_or(ScoreInterval()).mean)},
          {"ci", or_null(result.interval.has_value(), result.interval.value_or(ScoreInterval()).half_width)}};
    }
    if (!by_length.empty()) entry["by_length"] = by_length;
    out.push_back(entry);
  }
  return dump(out, 4, true) + "\n";
}

}  // namespace nmt::metrics
