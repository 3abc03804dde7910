// What is done in a folder with a card.
#pragma once

#include <string>
#include <vector>

/// Makes the targets, or all cloths; only says so if it is a trial.
void build(const std::vector<std::string>& targets, bool is_trial);

/// Prints the cloths that the targets need, or all.
void list(const std::vector<std::string>& targets);

/// Prints why a build of the target would weave cloths.
void explain(const std::string& target);
