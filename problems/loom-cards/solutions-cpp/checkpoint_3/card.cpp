#include "card.hpp"

#include <algorithm>

#include "errors.hpp"
#include "paths.hpp"
#include "utf8.hpp"

namespace {

constexpr std::size_t most_threads = 12;

const std::string& only_word(const std::vector<std::string>& given) {
    if (given.size() > 1) {
        throw CardError("too many words");
    }
    return given.front();
}

}  // namespace

const std::map<std::string, CardReader::Kind> CardReader::kinds{
    {"cloth", {true, &CardReader::begin_cloth}}, {"from", {false, &CardReader::add_threads}},
    {"do", {false, &CardReader::add_action}},    {"let", {true, &CardReader::let}},
    {"use", {true, &CardReader::use}},
};

void CardReader::read(const std::string& name) {
    const auto text = content_(name);
    if (!text && !within_.empty()) {
        throw CardError("no card '" + name + "'");
    }
    if (!text || !is_utf8(*text)) {
        throw CardError("cannot read " + name);
    }
    within_.push_back(name);
    int number = 0;
    for (std::size_t at = 0; at <= text->size();) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        ++number;
        place_ = name + ":" + std::to_string(number);
        read_line(std::string_view(*text).substr(at, end - at));
        at = end + 1;
    }
    end_cloth();
    within_.pop_back();
}

void CardReader::read_line(std::string_view line) {
    const std::string place = place_;
    try {
        read_words(split_words(line));
    } catch (CardError& error) {
        error.locate(place);
        throw;
    }
}

void CardReader::read_words(const std::vector<Word>& line) {
    if (line.empty()) {
        return;
    }
    const std::string& word = line.front().text;
    const auto kind = kinds.find(word);
    if (kind == kinds.end()) {
        throw CardError("unknown word '" + word + "'");
    }
    if (kind->second.ends_cloth) {
        end_cloth();
    } else if (!rule_) {
        throw CardError("'" + word + "' outside of a cloth");
    }
    const Words given = names_.replaced({line.begin() + 1, line.end()});
    if (given.empty()) {
        throw CardError("too few words");
    }
    (this->*kind->second.read)(given);
}

void CardReader::begin_cloth(const Words& given) {
    const std::string& path = only_word(given);
    check_pattern(path);
    if (weft_.cloths().find(path)) {
        throw CardError("'" + path + "' is there already");
    }
    rule_ = Rule{.path = path, .place = place_, .threads = {}, .actions = {}};
}

void CardReader::end_cloth() {
    if (!rule_) {
        return;
    }
    const Rule rule = std::move(*rule_);
    rule_.reset();
    try {
        weft_.add(rule);
    } catch (CardError& error) {
        error.locate(rule.place);
        throw;
    }
}

void CardReader::add_threads(const Words& given) {
    std::ranges::for_each(given, check_pattern);
    rule_->threads.insert(rule_->threads.end(), given.begin(), given.end());
    if (rule_->threads.size() > most_threads) {
        throw CardError("too many threads");
    }
}

void CardReader::add_action(const Words& given) {
    check_action(given);
    rule_->actions.push_back(given);
}

void CardReader::let(const Words& given) {
    names_.let(given);
}

void CardReader::use(const Words& given) {
    const std::string& name = only_word(given);
    check_path(name);
    if (std::ranges::find(within_, name) != within_.end()) {
        throw CardError("'" + name + "' uses itself");
    }
    read(name);
}
