#include "card.hpp"

#include <algorithm>
#include <map>

#include "errors.hpp"
#include "paths.hpp"
#include "utf8.hpp"
#include "words.hpp"

namespace {

constexpr std::size_t most_threads = 12;

using Words = std::vector<std::string>;

class CardReader {
public:
    void read_line(std::string_view line) {
        const Words words = split_words(line);
        if (words.empty()) {
            return;
        }
        static const std::map<std::string, void (CardReader::*)(const Words&)> kinds{
            {"cloth", &CardReader::begin_cloth}, {"from", &CardReader::add_threads}, {"do", &CardReader::add_action}};
        const auto kind = kinds.find(words.front());
        if (kind == kinds.end()) {
            throw CardError("unknown word '" + words.front() + "'");
        }
        if (kind->first != "cloth" && !open_) {
            throw CardError("'" + kind->first + "' outside of a cloth");
        }
        const Words given(words.begin() + 1, words.end());
        if (given.empty()) {
            throw CardError("too few words");
        }
        (this->*kind->second)(given);
    }

    Cloths cloths() && { return std::move(cloths_); }

private:
    void begin_cloth(const Words& given) {
        if (given.size() > 1) {
            throw CardError("too many words");
        }
        const std::string& path = given.front();
        check_path(path);
        if (cloths_.find(path)) {
            throw CardError("'" + path + "' is there already");
        }
        open_ = &cloths_.add({.path = path, .threads = {}, .actions = {}});
    }

    void add_threads(const Words& given) {
        std::ranges::for_each(given, check_path);
        open_->threads.insert(open_->threads.end(), given.begin(), given.end());
        if (open_->threads.size() > most_threads) {
            throw CardError("too many threads");
        }
    }

    void add_action(const Words& given) {
        check_action(given);
        open_->actions.push_back(given);
    }

    Cloths cloths_;
    /// The cloth that lines add to.
    Cloth* open_ = nullptr;
};

}  // namespace

Cloths read_card(const Tree& tree, const std::string& name) {
    const auto text = tree.read(name);
    if (!text || !is_utf8(*text)) {
        throw CardError("cannot read " + name);
    }
    CardReader reader;
    int number = 0;
    for (std::size_t at = 0; at <= text->size();) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        ++number;
        try {
            reader.read_line(std::string_view(*text).substr(at, end - at));
        } catch (const CardError& error) {
            throw CardError(name + ":" + std::to_string(number) + ": " + error.what());
        }
        at = end + 1;
    }
    return std::move(reader).cloths();
}
