// What a cloth can do with its text.
#pragma once

#include <string>
#include <vector>

/// The name of an action and the words after it.
using Action = std::vector<std::string>;

/// Refuses an action that is unknown or has wrong words.
void check_action(const Action& action);

/// The text after all actions, one after another.
std::string apply(const std::vector<Action>& actions, std::string text);
