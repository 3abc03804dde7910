#include "card.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "errors.hpp"
#include "names.hpp"
#include "paths.hpp"
#include "utf8.hpp"
#include "words.hpp"

namespace {

constexpr std::size_t most_threads = 12;

using Words = std::vector<std::string>;

class CardReader {
public:
    explicit CardReader(Weft& weft) : weft_(weft) {}

    /// Reads a line at a place that failures are told with.
    void read_line(const std::string& place, std::string_view line) {
        place_ = place;
        try {
            read_words(split_words(line));
        } catch (CardError& error) {
            error.locate(place);
            throw;
        }
    }

    void end_cloth() {
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

private:
    struct Kind {
        bool ends_cloth;
        void (CardReader::*read)(const Words& given);
    };

    void read_words(const std::vector<Word>& line) {
        if (line.empty()) {
            return;
        }
        static const std::map<std::string, Kind> kinds{{"cloth", {true, &CardReader::begin_cloth}},
                                                       {"from", {false, &CardReader::add_threads}},
                                                       {"do", {false, &CardReader::add_action}},
                                                       {"let", {true, &CardReader::let}}};
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

    void begin_cloth(const Words& given) {
        if (given.size() > 1) {
            throw CardError("too many words");
        }
        const std::string& path = given.front();
        check_pattern(path);
        if (weft_.cloths().find(path)) {
            throw CardError("'" + path + "' is there already");
        }
        rule_ = Rule{.path = path, .place = place_, .threads = {}, .actions = {}};
    }

    void add_threads(const Words& given) {
        std::ranges::for_each(given, check_pattern);
        rule_->threads.insert(rule_->threads.end(), given.begin(), given.end());
        if (rule_->threads.size() > most_threads) {
            throw CardError("too many threads");
        }
    }

    void add_action(const Words& given) {
        check_action(given);
        rule_->actions.push_back(given);
    }

    void let(const Words& given) { names_.let(given); }

    Weft& weft_;
    Names names_;
    std::string place_;
    /// The cloth that lines add to.
    std::optional<Rule> rule_;
};

}  // namespace

void read_card(const Tree& tree, const std::string& name, Weft& weft) {
    const auto text = tree.read(name);
    if (!text || !is_utf8(*text)) {
        throw CardError("cannot read " + name);
    }
    CardReader reader(weft);
    int number = 0;
    for (std::size_t at = 0; at <= text->size();) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        ++number;
        reader.read_line(name + ":" + std::to_string(number), std::string_view(*text).substr(at, end - at));
        at = end + 1;
    }
    reader.end_cloth();
}
