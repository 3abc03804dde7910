#include "options.hpp"

#include <algorithm>

#include "text.hpp"

namespace {

/// Whether an argument can only be an option: not a lone dash, a negative number, or several words.
bool is_option(const std::string& argument) {
    return argument.size() > 1 && argument.starts_with('-') && argument.find(' ') == std::string::npos &&
           argument.find_first_not_of("0123456789.", 1) != std::string::npos;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

}  // namespace

Options::Options(const Shape& shape, Arguments arguments) {
    std::vector<std::string> positionals;
    while (!arguments.empty()) {
        if (is_option(arguments.front())) {
            arguments = take_option(shape, arguments);
        } else {
            positionals.push_back(arguments.front());
            arguments = arguments.subspan(1);
        }
    }
    name_positionals(shape, positionals);
    check(shape);
}

std::optional<std::string> Options::get(const std::string& name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? std::nullopt : std::optional(found->second);
}

/// Takes the first argument, an option, and its value; returns the arguments after it.
Options::Arguments Options::take_option(const Shape& shape, Arguments arguments) {
    const std::string& option = arguments.front();
    const Arguments rest = arguments.subspan(1);
    if (contains(shape.flags, option)) {
        given_[option] = "";
        return rest;
    }
    const auto sign = option.find('=');
    const std::string name = option.substr(0, sign);
    if (!contains(shape.values, name)) {
        throw Misuse("unknown option " + option);
    }
    if (sign != std::string::npos) {
        given_[name] = option.substr(sign + 1);
        return rest;
    }
    if (rest.empty() || is_option(rest.front())) {
        throw Misuse(option + " needs a value");
    }
    given_[name] = rest.front();
    return rest.subspan(1);
}

void Options::name_positionals(const Shape& shape, const std::vector<std::string>& positionals) {
    std::vector<std::string> names = shape.positionals;
    names.insert(names.end(), shape.optional.begin(), shape.optional.end());
    if (positionals.size() < shape.positionals.size() || positionals.size() > names.size()) {
        throw Misuse("expected " + joined(names, " ") + ", got " + std::to_string(positionals.size()) + " arguments");
    }
    for (std::size_t index = 0; index < positionals.size(); ++index) {
        given_[names[index]] = positionals[index];
    }
}

void Options::check(const Shape& shape) const {
    for (const std::string& name : shape.required) {
        if (!has(name)) {
            throw Misuse("missing " + name);
        }
    }
    for (const auto& [name, values] : shape.choices) {
        if (const auto value = get(name); value && !contains(values, *value)) {
            throw Misuse(name + " is one of " + joined(values, ", "));
        }
    }
}
