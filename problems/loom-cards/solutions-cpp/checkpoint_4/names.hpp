// Names for words, and the words in which they are used.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "words.hpp"

constexpr std::size_t most_words = 20;

bool is_name(std::string_view text);

/// Words by the names that are given to them before a card is read.
using Settings = std::map<std::string, std::vector<std::string>>;

class Names {
public:
    explicit Names(Settings settings) : settings_(std::move(settings)) {}

    /// Gives the first word as a name to the others, unless it is set to something else.
    void let(const std::vector<std::string>& given);

    /// The words of a line with names replaced: one for each combination of words of the names.
    std::vector<std::string> replaced(const std::vector<Word>& line) const;

private:
    std::vector<std::string> texts_of(const Word& word) const;
    const std::vector<std::string>& meaning(const std::string& name) const;

    Settings settings_;
    std::map<std::string, std::vector<std::string>> words_;
};
