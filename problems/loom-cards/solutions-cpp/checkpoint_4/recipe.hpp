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

void write_actions(RecordWriter& writer, const std::vector<Action>& actions);
std::vector<Action> read_actions(RecordReader& reader);

void write_inputs(RecordWriter& writer, const std::vector<Input>& inputs);
std::vector<Input> read_inputs(RecordReader& reader);

void write_recipe(RecordWriter& writer, const Recipe& recipe);
Recipe read_recipe(RecordReader& reader);
