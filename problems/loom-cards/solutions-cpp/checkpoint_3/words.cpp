#include "words.hpp"

#include <algorithm>

#include "errors.hpp"
#include "utf8.hpp"

namespace {

constexpr std::string_view blanks = " \t";

void skip_blanks(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
}

Word take_plain(std::string_view& line) {
    std::string word(line.substr(0, line.find_first_of(blanks)));
    line.remove_prefix(word.size());
    return {std::move(word), false};
}

/// Takes a character off a quoted word, behind a backslash if there is one.
char take_letter(std::string_view& line) {
    const bool is_escaped = line.starts_with('\\');
    line.remove_prefix(is_escaped ? 1 : 0);
    if (line.empty()) {
        throw CardError("quote not closed");
    }
    const char letter = line.front();
    if (is_escaped && letter != '"' && letter != '\\' && letter != 'n') {
        throw CardError("bad escape '\\" + first_character(line) + "'");
    }
    line.remove_prefix(1);
    return is_escaped && letter == 'n' ? '\n' : letter;
}

Word take_quoted(std::string_view& line) {
    line.remove_prefix(1);
    std::string word;
    while (!line.starts_with('"')) {
        word += take_letter(line);
    }
    line.remove_prefix(1);
    if (!line.empty() && blanks.find(line.front()) == std::string_view::npos) {
        throw CardError("text after a quote");
    }
    return {std::move(word), true};
}

}  // namespace

std::vector<Word> split_words(std::string_view line) {
    std::vector<Word> words;
    for (skip_blanks(line); !line.empty() && !line.starts_with('#'); skip_blanks(line)) {
        words.push_back(line.starts_with('"') ? take_quoted(line) : take_plain(line));
    }
    return words;
}
