// Command lines: what a command takes, and what it was given.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

/// A command line that cannot be understood.
struct Misuse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What a command takes.
struct Shape {
    std::vector<std::string> positionals{};
    /// Positionals that may be left out, after the others.
    std::vector<std::string> optional{};
    /// Options with a value.
    std::vector<std::string> values{};
    /// Options without one.
    std::vector<std::string> flags{};
    /// Options that must be given.
    std::vector<std::string> required{};
    /// Values that options may have.
    std::map<std::string, std::vector<std::string>> choices{};
};

/// What a command was given: positionals and options by name, flags without a value.
class Options {
public:
    using Arguments = std::span<const std::string>;

    Options(const Shape& shape, Arguments arguments);

    bool has(const std::string& name) const { return given_.contains(name); }
    std::optional<std::string> get(const std::string& name) const;

    /// A positional or an option that every command line has.
    const std::string& need(const std::string& name) const { return given_.at(name); }

private:
    Arguments take_option(const Shape& shape, Arguments arguments);
    void name_positionals(const Shape& shape, const std::vector<std::string>& positionals);
    void check(const Shape& shape) const;

    std::map<std::string, std::string> given_;
};
