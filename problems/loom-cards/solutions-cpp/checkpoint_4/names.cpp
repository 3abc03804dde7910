#include "names.hpp"

#include <algorithm>

#include "errors.hpp"

namespace {

constexpr std::size_t longest_name = 16;
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view letters_and_digits = "abcdefghijklmnopqrstuvwxyz0123456789";

/// Each of the texts with each of the ends, the end changing fastest.
std::vector<std::string> combined(const std::vector<std::string>& texts, const std::vector<std::string>& ends) {
    std::vector<std::string> result;
    for (const std::string& text : texts) {
        for (const std::string& end : ends) {
            result.push_back(text + end);
        }
    }
    return result;
}

/// A part of a word: plain text, or a name in braces.
struct Piece {
    std::string text;
    bool is_name;
};

std::vector<Piece> split_pieces(const std::string& word) {
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t open = std::min(word.find('{', at), word.size());
        pieces.push_back({word.substr(at, open - at), false});
        if (open == word.size()) {
            break;
        }
        const std::size_t close = word.find('}', open);
        const std::string name = close == std::string::npos ? "" : word.substr(open + 1, close - open - 1);
        if (!is_name(name)) {
            throw CardError("bad reference in '" + word + "'");
        }
        pieces.push_back({name, true});
        at = close + 1;
    }
    return pieces;
}

}  // namespace

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= longest_name && letters.find(text.front()) != std::string_view::npos &&
           text.find_first_not_of(letters_and_digits) == std::string_view::npos;
}

void Names::let(const std::vector<std::string>& given) {
    const std::string& name = given.front();
    if (!is_name(name)) {
        throw CardError("bad name '" + name + "'");
    }
    if (given.size() - 1 > most_words) {
        throw CardError("too many words");
    }
    words_[name].assign(given.begin() + 1, given.end());
}

std::vector<std::string> Names::replaced(const std::vector<Word>& line) const {
    std::vector<std::string> texts;
    for (const Word& word : line) {
        const auto more = texts_of(word);
        texts.insert(texts.end(), more.begin(), more.end());
    }
    return texts;
}

std::vector<std::string> Names::texts_of(const Word& word) const {
    if (word.is_quoted) {
        return {word.text};
    }
    std::vector<std::string> texts{""};
    for (const auto& [text, is_name] : split_pieces(word.text)) {
        texts = combined(texts, is_name ? meaning(text) : std::vector{text});
    }
    return texts;
}

const std::vector<std::string>& Names::meaning(const std::string& name) const {
    if (const auto set = settings_.find(name); set != settings_.end()) {
        return set->second;
    }
    const auto found = words_.find(name);
    if (found == words_.end()) {
        throw CardError("no name '" + name + "'");
    }
    return found->second;
}
