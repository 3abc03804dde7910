// The form of paths.
#pragma once

#include <string>

bool is_path(const std::string& path);

/// Refuses what does not have the form of a path.
void check_path(const std::string& path);
