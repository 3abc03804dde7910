// Plain work on texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

bool is_space(char c);

/// The text without white space at its ends.
std::string_view trimmed(std::string_view text);

/// The text with the letters A to Z in lower case.
std::string lowered(std::string_view text);

/// The words between white space.
std::vector<std::string> words_of(std::string_view text);

/// The lines of a text, however they end; what follows the last line end is a line too.
std::vector<std::string> lines_of(std::string_view text);

std::string joined(const std::vector<std::string>& parts, std::string_view separator);
