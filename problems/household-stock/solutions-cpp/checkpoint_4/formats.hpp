// Files that lots are read from and written to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stock.hpp"

/// Hands each lot of a file to `accept`; a refusal names the file and the line.
void read_lots(const std::string& path, const std::function<void(const Lot&)>& accept);

void write_lots(const std::string& path, const std::vector<Lot>& lots);
