#include "memory.hpp"

#include "digest.hpp"

namespace {

const std::string place = ".loom/memory";

}  // namespace

Memory::Memory(Tree& tree) : tree_(tree) {
    const auto data = tree.read(place);
    if (!data) {
        return;
    }
    RecordReader reader(*data);
    reader.list([&] {
        const std::string path = reader.text();
        Record& record = woven_[path];
        record.recipe = read_recipe(reader);
        record.found = read_inputs(reader);
        record.output = reader.text();
        return path;
    });
}

const Record* Memory::find(const std::string& path) const {
    const auto found = woven_.find(path);
    return found == woven_.end() ? nullptr : &found->second;
}

void Memory::put(const std::string& path, Record record) {
    woven_[path] = std::move(record);
    save();
}

void Memory::forget(const std::string& path) {
    woven_.erase(path);
    save();
}

std::vector<std::string> Memory::paths() const {
    std::vector<std::string> paths;
    for (const auto& [path, record] : woven_) {
        paths.push_back(path);
    }
    return paths;
}

bool Memory::is_unchanged(const std::string& path) const {
    const Record* record = find(path);
    const auto content = tree_.read(path);
    return record && content && digest(*content) == record->output;
}

void Memory::save() const {
    RecordWriter writer;
    writer.list(woven_, [&](const auto& entry) {
        const auto& [path, record] = entry;
        writer.text(path);
        write_recipe(writer, record.recipe);
        write_inputs(writer, record.found);
        writer.text(record.output);
    });
    tree_.write(place, writer.data());
}
