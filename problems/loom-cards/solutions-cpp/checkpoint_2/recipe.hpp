// What goes into a cloth.
#pragma once

#include <string>
#include <vector>

#include "actions.hpp"
#include "records.hpp"

/// A path, and the digest of its content at some time.
struct Input {
    std::string path;
    std::string digest;

    bool operator==(const Input&) const = default;
};

struct Recipe {
    std::vector<Input> threads;
    std::vector<Action> actions;

    bool operator==(const Recipe&) const = default;
};

void write_recipe(RecordWriter& writer, const Recipe& recipe);
Recipe read_recipe(RecordReader& reader);
