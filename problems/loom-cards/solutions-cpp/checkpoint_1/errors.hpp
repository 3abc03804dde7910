// What goes wrong in ways that the user is told.
#pragma once

#include <stdexcept>

/// A failure; its message is for the user.
struct CardError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A command line that cannot be understood.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
