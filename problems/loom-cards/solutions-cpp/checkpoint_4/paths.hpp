// The form of paths, and of patterns, which are paths with one `*`.
#pragma once

#include <optional>
#include <string>

bool is_path(const std::string& path);

/// Refuses what does not have the form of a path.
void check_path(const std::string& path);

/// Refuses what has neither the form of a path nor that of a pattern.
void check_pattern(const std::string& pattern);

bool is_pattern(const std::string& path);

/// What the `*` of a pattern stands for if it matches a path.
std::optional<std::string> match(const std::string& pattern, const std::string& path);

/// The pattern with a text in place of its `*`.
std::string fill(const std::string& pattern, const std::string& text);
