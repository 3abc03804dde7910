// Whole files.
#pragma once

#include <optional>
#include <string>

/// The content of a file, unless it cannot be read.
std::optional<std::string> read_file(const std::string& path);

/// Whether the file could be written.
bool write_file(const std::string& path, const std::string& content);
