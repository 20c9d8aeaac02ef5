#pragma once

#include <string>
#include <vector>

namespace nmt::metrics {

// A table in box-drawing characters, the first column right-aligned, the others centred. A cell may hold several lines
// ("\n"). Widths are counted in code points. As sacreBLEU draws its tables of systems.
std::string draw_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

}  // namespace nmt::metrics
