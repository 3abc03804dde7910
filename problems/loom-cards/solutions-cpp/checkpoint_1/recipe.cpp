#include "recipe.hpp"

namespace {

void write_inputs(RecordWriter& writer, const std::vector<Input>& inputs) {
    writer.list(inputs, [&](const Input& input) {
        writer.text(input.path);
        writer.text(input.digest);
    });
}

std::vector<Input> read_inputs(RecordReader& reader) {
    return reader.list([&] {
        std::string path = reader.text();
        return Input{std::move(path), reader.text()};
    });
}

void write_actions(RecordWriter& writer, const std::vector<Action>& actions) {
    writer.list(actions, [&](const Action& action) {
        writer.list(action, [&](const std::string& word) { writer.text(word); });
    });
}

std::vector<Action> read_actions(RecordReader& reader) {
    return reader.list([&] { return reader.list([&] { return reader.text(); }); });
}

}  // namespace

void write_recipe(RecordWriter& writer, const Recipe& recipe) {
    write_inputs(writer, recipe.threads);
    write_actions(writer, recipe.actions);
}

Recipe read_recipe(RecordReader& reader) {
    auto threads = read_inputs(reader);
    return {std::move(threads), read_actions(reader)};
}
