// Comma-separated values, one line at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The cells of a line; an empty line has none.
std::vector<std::string> split_cells(std::string_view line);

/// The cells as a line, quoted where that is necessary.
std::string csv_line(const std::vector<std::string>& cells);
