#include "usage.hpp"

#include <deque>
#include <functional>
#include <map>

#include "errors.hpp"

namespace {

constexpr std::size_t most_digits = 6;

std::size_t parse_number(const std::string& text) {
    const bool is_number = !text.empty() && text.size() <= most_digits &&
                           text.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) {
        throw UsageError("bad number '" + text + "'");
    }
    return std::stoul(text);
}

void add_setting(Settings& settings, const std::string& text) {
    const std::size_t sign = text.find('=');
    const std::string name = text.substr(0, sign);
    if (sign == std::string::npos || !is_name(name) || settings[name].size() == most_words) {
        throw UsageError("bad setting '" + text + "'");
    }
    settings[name].push_back(text.substr(sign + 1));
}

/// An option with a value, and what it does.
struct Option {
    /// Whether it is one of `build` alone.
    bool is_of_build;
    std::function<void(Usage& usage, const std::string& value)> apply;
};

const std::map<std::string, Option> options{
    {"--in", {false, [](Usage& usage, const std::string& value) { usage.place.folder = value; }}},
    {"--set", {false, [](Usage& usage, const std::string& value) { add_setting(usage.place.settings, value); }}},
    {"--cache", {true, [](Usage& usage, const std::string& value) { usage.options.cache = value; }}},
    {"--room", {true, [](Usage& usage, const std::string& value) { usage.options.room = parse_number(value); }}},
    {"--at-most", {true, [](Usage& usage, const std::string& value) { usage.options.most = parse_number(value); }}},
};

class Parser {
public:
    explicit Parser(std::vector<std::string> arguments) : rest_(arguments.begin(), arguments.end()) {}

    Usage usage() {
        Usage usage{.command = next("a command"), .place = {}, .options = {}, .paths = {}};
        while (!rest_.empty()) {
            const std::string argument = next("an argument");
            if (argument.starts_with('-')) {
                take_option(usage, argument);
            } else {
                usage.paths.push_back(argument);
            }
        }
        return usage;
    }

private:
    std::string next(const std::string& what) {
        if (rest_.empty()) {
            throw UsageError("missing " + what);
        }
        const std::string argument = rest_.front();
        rest_.pop_front();
        return argument;
    }

    void take_option(Usage& usage, const std::string& argument) {
        const bool is_build = usage.command == "build";
        if (argument == "--dry" && is_build) {
            usage.options.is_trial = true;
            return;
        }
        const std::size_t sign = argument.find('=');
        const auto option = options.find(argument.substr(0, sign));
        const bool is_known = option != options.end() && usage.command != "cache";
        if (!is_known || (option->second.is_of_build && !is_build)) {
            throw UsageError("unknown option " + argument);
        }
        const bool has_value = sign != std::string::npos;
        option->second.apply(usage, has_value ? argument.substr(sign + 1) : next("a value of " + argument));
    }

    std::deque<std::string> rest_;
};

}  // namespace

Usage parse_usage(std::vector<std::string> arguments) {
    return Parser(std::move(arguments)).usage();
}
