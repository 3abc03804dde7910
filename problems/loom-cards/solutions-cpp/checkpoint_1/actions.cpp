#include "actions.hpp"

#include <algorithm>
#include <map>

#include "errors.hpp"

namespace {

constexpr int most_lines = 500;

/// The lines of a text without their ends.
std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    return text;
}

/// The text with the letters `first` to `first + 25` moved to those from `target` on.
std::string with_letters(std::string text, char first, char target) {
    for (char& c : text) {
        if (c >= first && c <= first + 25) {
            c = static_cast<char>(c - first + target);
        }
    }
    return text;
}

std::string upper(const std::string& text, const Action&) {
    return with_letters(text, 'a', 'A');
}

std::string lower(const std::string& text, const Action&) {
    return with_letters(text, 'A', 'a');
}

std::string sort(const std::string& text, const Action&) {
    auto lines = lines_of(text);
    std::ranges::sort(lines);
    return text_of(lines);
}

std::string number(const std::string& text, const Action&) {
    auto lines = lines_of(text);
    for (std::size_t index = 0; index < lines.size(); ++index) {
        lines[index].insert(0, std::to_string(index + 1) + " ");
    }
    return text_of(lines);
}

std::string first(const std::string& text, const Action& action) {
    auto lines = lines_of(text);
    lines.resize(std::min<std::size_t>(lines.size(), std::stoul(action[1])));
    return text_of(lines);
}

std::string title(const std::string& text, const Action& action) {
    return action[1] + "\n" + text;
}

std::string replace(const std::string& text, const Action& action) {
    const std::string& old = action[1];
    std::string result;
    std::size_t at = 0;
    for (auto found = text.find(old); found != std::string::npos; found = text.find(old, at)) {
        result += text.substr(at, found - at) + action[2];
        at = found + old.size();
    }
    return result + text.substr(at);
}

void check_nothing(const Action&) {}

void check_count(const Action& action) {
    const std::string& count = action[1];
    const bool is_number = !count.empty() && count.size() <= 4 &&
                           count.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || std::stoi(count) < 1 || std::stoi(count) > most_lines) {
        throw CardError("bad number '" + count + "'");
    }
}

void check_replace(const Action& action) {
    if (action[1].empty()) {
        throw CardError("nothing to replace");
    }
}

struct Kind {
    /// How many words follow the name.
    std::size_t words;
    void (*check)(const Action& action);
    std::string (*apply)(const std::string& text, const Action& action);
};

const std::map<std::string, Kind> kinds{
    {"upper", {0, check_nothing, upper}},
    {"lower", {0, check_nothing, lower}},
    {"sort", {0, check_nothing, sort}},
    {"number", {0, check_nothing, number}},
    {"first", {1, check_count, first}},
    {"title", {1, check_nothing, title}},
    {"replace", {2, check_replace, replace}},
};

}  // namespace

void check_action(const Action& action) {
    const auto found = kinds.find(action.front());
    if (found == kinds.end()) {
        throw CardError("unknown action '" + action.front() + "'");
    }
    const Kind& kind = found->second;
    const std::size_t words = action.size() - 1;
    if (words != kind.words) {
        throw CardError(words < kind.words ? "too few words" : "too many words");
    }
    kind.check(action);
}

std::string apply(const std::vector<Action>& actions, std::string text) {
    for (const Action& action : actions) {
        text = kinds.at(action.front()).apply(text, action);
    }
    return text;
}
