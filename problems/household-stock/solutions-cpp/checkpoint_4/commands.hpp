// What each command takes and does: from options to what is printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "history.hpp"
#include "options.hpp"

/// What is printed and, if the stock was changed, how the history describes that.
struct Outcome {
    std::string said;
    std::optional<std::string> change;
};

struct Command {
    using OnStock = Outcome (*)(Stock& stock, const Options& options);
    /// Returns what is printed.
    using OnHistory = std::string (*)(History& history, const Options& options);

    std::string_view name;
    Shape shape;
    std::variant<OnStock, OnHistory> run;
};

const std::vector<Command>& commands();

/// Carries out a command and remembers the change; returns what is printed.
std::string run(const Command& command, History& history, const Options& options);
