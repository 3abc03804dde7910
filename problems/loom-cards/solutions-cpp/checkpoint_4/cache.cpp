#include "cache.hpp"

#include <algorithm>
#include <iostream>

#include "digest.hpp"

namespace {

const std::string index_place = "index";

std::string place_of(const std::string& output) {
    return "texts/" + output;
}

std::vector<std::string> digests_of(const std::vector<Input>& inputs) {
    std::vector<std::string> digests;
    for (const Input& input : inputs) {
        digests.push_back(input.digest);
    }
    return digests;
}

}  // namespace

Cache::Cache(Tree& tree, std::size_t room) : tree_(tree), room_(room) {
    const auto data = tree.read(index_place);
    if (!data) {
        return;
    }
    RecordReader reader(*data);
    const auto entries = reader.list([&] {
        Entry entry;
        entry.path = reader.text();
        entry.threads = reader.list([&] { return reader.text(); });
        entry.actions = read_actions(reader);
        entry.found = read_inputs(reader);
        entry.size = std::stoul(reader.text());
        entry.output = reader.text();
        return entry;
    });
    entries_.assign(entries.begin(), entries.end());
}

std::optional<Woven> Cache::fetch(const Recipe& recipe, const Holds& holds) {
    const auto threads = digests_of(recipe.threads);
    const auto fits = [&](const Entry& entry) { return entry.threads == threads && entry.actions == recipe.actions; };
    std::vector<Entry> candidates;
    std::ranges::copy_if(entries_, std::back_inserter(candidates), fits);
    for (const Entry& candidate : candidates) {
        if (!std::ranges::all_of(candidate.found, holds)) {
            continue;
        }
        // What was woven to find out may have pushed the entry out.
        const auto entry = std::ranges::find(entries_, candidate);
        if (entry != entries_.end()) {
            entries_.splice(entries_.end(), entries_, entry);
            save();
            return Woven{candidate.found, tree_.read(place_of(candidate.output)).value()};
        }
    }
    return std::nullopt;
}

void Cache::put(const std::string& path, const Recipe& recipe, const Woven& woven) {
    if (woven.output.size() > room_) {
        return;
    }
    const Entry& entry = entries_.emplace_back(Entry{.path = path,
                                                     .threads = digests_of(recipe.threads),
                                                     .actions = recipe.actions,
                                                     .found = woven.found,
                                                     .size = woven.output.size(),
                                                     .output = digest(woven.output)});
    tree_.write(place_of(entry.output), woven.output);
    while (size() > room_) {
        drop_first();
    }
    save();
}

/// Removes the first entry, and its output if no other entry has the same.
void Cache::drop_first() {
    const std::string output = entries_.front().output;
    entries_.pop_front();
    if (std::ranges::find(entries_, output, &Entry::output) == entries_.end()) {
        tree_.remove(place_of(output));
    }
}

std::size_t Cache::size() const {
    std::size_t size = 0;
    for (const Entry& entry : entries_) {
        size += entry.size;
    }
    return size;
}

void Cache::save() const {
    RecordWriter writer;
    writer.list(entries_, [&](const Entry& entry) {
        writer.text(entry.path);
        writer.list(entry.threads, [&](const std::string& thread) { writer.text(thread); });
        write_actions(writer, entry.actions);
        write_inputs(writer, entry.found);
        writer.text(std::to_string(entry.size));
        writer.text(entry.output);
    });
    tree_.write(index_place, writer.data());
}

void Cache::print() const {
    for (const Entry& entry : entries_) {
        std::cout << entry.size << ' ' << entry.path << '\n';
    }
    std::cout << entries_.size() << " entries, " << size() << " bytes\n";
}
