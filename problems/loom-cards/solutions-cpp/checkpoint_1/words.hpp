// Splits the lines of a card into words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

std::vector<std::string> split_words(std::string_view line);
