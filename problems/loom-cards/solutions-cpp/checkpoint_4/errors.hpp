// What goes wrong in ways that the user is told.
#pragma once

#include <stdexcept>
#include <string>

/// A failure; its message is for the user.
class CardError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;

    /// Says in which line of a card the failure is, unless that is known.
    void locate(const std::string& place) {
        if (place_.empty()) {
            place_ = place;
        }
    }

    /// The message, behind the line of the card if there is one.
    std::string told() const { return place_.empty() ? what() : place_ + ": " + what(); }

private:
    std::string place_;
};

/// What is wrong with a cloth rather than with a line of a card, also if the line asked for it.
struct WeavingError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// As many cloths were woven as is allowed, and there is another one.
struct Stopped : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A command line that cannot be understood.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
