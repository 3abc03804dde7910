// Splits the lines of a card into words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

struct Word {
    std::string text;
    bool is_quoted;
};

std::vector<Word> split_words(std::string_view line);
