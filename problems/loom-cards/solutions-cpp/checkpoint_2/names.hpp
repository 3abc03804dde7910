// Names for words, and the words in which they are used.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "words.hpp"

class Names {
public:
    /// Gives the first word as a name to the others.
    void let(const std::vector<std::string>& given);

    /// The words of a line with names replaced: one for each combination of words of the names.
    std::vector<std::string> replaced(const std::vector<Word>& line) const;

private:
    std::vector<std::string> texts_of(const Word& word) const;
    const std::vector<std::string>& meaning(const std::string& name) const;

    std::map<std::string, std::vector<std::string>> words_;
};
