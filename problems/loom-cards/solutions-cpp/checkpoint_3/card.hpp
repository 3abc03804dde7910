// Reads cards: which cloths there are, of which threads, by which actions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"
#include "weft.hpp"
#include "words.hpp"

/// The content of a path, woven if need be, unless there is none.
using Content = std::function<std::optional<std::string>(const std::string& path)>;

/// Reads a card, and those that it uses, into a weft.
class CardReader {
public:
    CardReader(Weft& weft, Content content) : weft_(weft), content_(std::move(content)) {}

    void read(const std::string& name);

private:
    using Words = std::vector<std::string>;

    /// A kind of line, by its first word.
    struct Kind {
        bool ends_cloth;
        void (CardReader::*read)(const Words& given);
    };

    static const std::map<std::string, Kind> kinds;

    void read_line(std::string_view line);
    void read_words(const std::vector<Word>& line);
    void begin_cloth(const Words& given);
    void end_cloth();
    void add_threads(const Words& given);
    void add_action(const Words& given);
    void let(const Words& given);
    void use(const Words& given);

    Weft& weft_;
    Content content_;
    Names names_;
    /// The cards that are being read, each used in the one before.
    std::vector<std::string> within_;
    /// The line that is being read.
    std::string place_;
    /// The cloth that lines add to.
    std::optional<Rule> rule_;
};
