#include "formats.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "csv.hpp"
#include "files.hpp"
#include "json.hpp"
#include "text.hpp"

namespace {

/// The fields of a lot, by name.
using Fields = std::map<std::string, std::string>;

const std::vector<std::string> field_names{"name", "quantity", "best_before", "place"};
const std::vector<std::string> required_names{"name", "quantity"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

/// Refuses unknown fields, then missing ones; `word` is what the format calls a field.
void check_names(const std::vector<std::string>& names, const std::string& word) {
    for (const std::string& name : names) {
        if (!contains(field_names, name)) {
            throw Refusal("unknown " + word + " '" + name + "'");
        }
    }
    for (const std::string& required : required_names) {
        if (!contains(names, required)) {
            throw Refusal("missing " + word + " '" + required + "'");
        }
    }
}

/// The texts of a lot as files hold them.
Fields fields_of(const Lot& lot) {
    Fields fields{{"name", lot.name},
                  {"quantity", std::to_string(lot.quantity.amount) + lot.quantity.unit},
                  {"place", lot.place}};
    if (lot.best_before) {
        fields["best_before"] = *lot.best_before;
    }
    return fields;
}

/// A way to write lots, one line for each.
class Format {
public:
    virtual ~Format() = default;

    /// The fields of the lot in a line, if it has one.
    virtual std::optional<Fields> read(const std::string& line) = 0;

    /// What precedes the lots.
    virtual std::string head() const { return ""; }

    virtual std::string write(Fields fields) const = 0;
};

class Csv : public Format {
public:
    std::optional<Fields> read(const std::string& line) override {
        const auto cells = split_cells(line);
        if (columns_.empty()) {
            check_names(cells, "column");
            columns_ = cells;
            return std::nullopt;
        }
        if (trimmed(line).empty()) {
            return std::nullopt;
        }
        if (cells.size() != columns_.size()) {
            throw Refusal("expected " + std::to_string(columns_.size()) + " cells, got " +
                          std::to_string(cells.size()));
        }
        Fields fields;
        for (std::size_t index = 0; index < cells.size(); ++index) {
            if (!cells[index].empty() || contains(required_names, columns_[index])) {
                fields[columns_[index]] = cells[index];
            }
        }
        return fields;
    }

    std::string head() const override { return csv_line(field_names); }

    std::string write(Fields fields) const override {
        std::vector<std::string> cells;
        for (const std::string& name : field_names) {
            cells.push_back(fields[name]);
        }
        return csv_line(cells);
    }

private:
    /// Empty until the first line was read.
    std::vector<std::string> columns_;
};

class Jsonl : public Format {
public:
    std::optional<Fields> read(const std::string& line) override {
        if (trimmed(line).empty()) {
            return std::nullopt;
        }
        const Json::Object object = read_object(line);
        std::vector<std::string> keys;
        for (const auto& [key, value] : object) {
            keys.push_back(key);
        }
        check_names(keys, "key");
        Fields fields;
        for (const auto& [key, value] : object) {
            const auto* text = std::get_if<std::string>(&value.value);
            if (!text) {
                throw Refusal("'" + key + "' is not a text");
            }
            fields[key] = *text;
        }
        return fields;
    }

    std::string write(Fields fields) const override {
        Json::Object object;
        for (const std::string& name : field_names) {
            if (fields.contains(name)) {
                object.push_back({name, {fields[name]}});
            }
        }
        return to_text({object}) + "\n";
    }

private:
    static Json::Object read_object(const std::string& line) {
        try {
            return parse_json(line).as<Json::Object>();
        } catch (const JsonError&) {
            throw Refusal("not a JSON object");
        }
    }
};

class Txt : public Format {
public:
    explicit Txt(std::string path) : path_(std::move(path)) {}

    std::optional<Fields> read(const std::string& line) override {
        const auto words = words_of(line);
        if (words.empty() || line.starts_with('#')) {
            return std::nullopt;
        }
        Fields fields{{"quantity", words.front()}};
        std::vector<std::string> name;
        for (std::size_t index = 1; index < words.size(); ++index) {
            const std::string& word = words[index];
            if (word.starts_with('@')) {
                fields["place"] = word.substr(1);
            } else if (word.starts_with('!')) {
                fields["best_before"] = word.substr(1);
            } else {
                name.push_back(word);
            }
        }
        if (name.empty()) {
            throw Refusal("missing name");
        }
        fields["name"] = joined(name, " ");
        return fields;
    }

    std::string write(Fields fields) const override {
        const std::string& place = fields["place"];
        if (std::ranges::any_of(place, is_space)) {
            throw Refusal("cannot write place '" + place + "' to " + path_);
        }
        const std::string date = fields.contains("best_before") ? " !" + fields["best_before"] : "";
        return fields["quantity"] + " " + fields["name"] + " @" + place + date + "\n";
    }

private:
    std::string path_;
};

std::unique_ptr<Format> format_of(const std::string& path) {
    if (path.ends_with(".csv")) {
        return std::make_unique<Csv>();
    }
    if (path.ends_with(".jsonl")) {
        return std::make_unique<Jsonl>();
    }
    if (path.ends_with(".txt")) {
        return std::make_unique<Txt>(path);
    }
    throw Refusal("unknown format of " + path);
}

Lot lot_of(const Fields& fields) {
    const auto field = [&](const std::string& name) {
        const auto found = fields.find(name);
        return found == fields.end() ? std::nullopt : std::optional(found->second);
    };
    return parse_lot({.name = fields.at("name"),
                      .quantity = fields.at("quantity"),
                      .best_before = field("best_before"),
                      .place = field("place")});
}

}  // namespace

void read_lots(const std::string& path, const std::function<void(const Lot&)>& accept) {
    const auto format = format_of(path);
    const auto text = read_file(path);
    if (!text) {
        throw Refusal("cannot read " + path);
    }
    int number = 0;
    for (const std::string& line : lines_of(*text)) {
        ++number;
        try {
            if (const auto fields = format->read(line)) {
                accept(lot_of(*fields));
            }
        } catch (const Refusal& why) {
            throw Refusal(path + ":" + std::to_string(number) + ": " + why.what());
        }
    }
}

void write_lots(const std::string& path, const std::vector<Lot>& lots) {
    const auto format = format_of(path);
    std::string text = format->head();
    for (const Lot& lot : lots) {
        text += format->write(fields_of(lot));
    }
    if (!write_file(path, text)) {
        throw Refusal("cannot write " + path);
    }
}
