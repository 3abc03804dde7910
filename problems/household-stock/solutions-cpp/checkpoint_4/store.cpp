#include "store.hpp"

#include <filesystem>

#include "files.hpp"
#include "json.hpp"

namespace {

const std::string path = "pantry.json";

Json quantity_json(const Quantity& quantity) {
    return {Json::List{{quantity.amount}, {quantity.unit}}};
}

Quantity read_quantity(const Json& json) {
    const auto& parts = json.as<Json::List>();
    if (parts.size() != 2) {
        throw JsonError("not an amount and a unit");
    }
    return {parts[0].as<std::uint64_t>(), parts[1].as<std::string>()};
}

Json lot_json(const Lot& lot) {
    Json::Object members{{"name", {lot.name}}, {"quantity", quantity_json(lot.quantity)}, {"place", {lot.place}}};
    if (lot.best_before) {
        members.push_back({"best_before", {*lot.best_before}});
    }
    return {members};
}

Lot read_lot(const Json& json) {
    Lot lot{.name = json.at("name").as<std::string>(),
            .quantity = read_quantity(json.at("quantity")),
            .best_before = {},
            .place = json.at("place").as<std::string>()};
    if (const Json* date = json.find("best_before")) {
        lot.best_before = date->as<std::string>();
    }
    return lot;
}

Json stock_json(const Stock& stock) {
    Json::List lots;
    for (const Lot& lot : stock.lots()) {
        lots.push_back(lot_json(lot));
    }
    Json::Object aliases;
    for (const auto& [alias, name] : stock.aliases()) {
        aliases.push_back({alias, {name}});
    }
    Json::Object minimums;
    for (const auto& [name, minimum] : stock.minimums()) {
        minimums.push_back({name, quantity_json(minimum)});
    }
    return {Json::Object{{"lots", {lots}}, {"aliases", {aliases}}, {"minimums", {minimums}}}};
}

Stock read_stock(const Json& json) {
    std::vector<Lot> lots;
    for (const Json& lot : json.at("lots").as<Json::List>()) {
        lots.push_back(read_lot(lot));
    }
    Aliases aliases;
    for (const auto& [alias, name] : json.at("aliases").as<Json::Object>()) {
        aliases[alias] = name.as<std::string>();
    }
    Minimums minimums;
    for (const auto& [name, minimum] : json.at("minimums").as<Json::Object>()) {
        minimums[name] = read_quantity(minimum);
    }
    return {std::move(lots), std::move(aliases), std::move(minimums)};
}

Json changes_json(const std::vector<Change>& changes) {
    Json::List list;
    for (const Change& change : changes) {
        list.push_back({Json::Object{{"description", {change.description}}, {"stock", stock_json(change.stock)}}});
    }
    return {list};
}

std::vector<Change> read_changes(const Json& json) {
    std::vector<Change> changes;
    for (const Json& change : json.as<Json::List>()) {
        changes.push_back({change.at("description").as<std::string>(), read_stock(change.at("stock"))});
    }
    return changes;
}

Json history_json(const History& history) {
    return {Json::Object{{"stock", stock_json(history.stock)},
                         {"done", changes_json(history.done)},
                         {"undone", changes_json(history.undone)}}};
}

History read_history(const Json& json) {
    return {read_stock(json.at("stock")), read_changes(json.at("done")), read_changes(json.at("undone"))};
}

}  // namespace

History load() {
    const auto text = read_file(path);
    if (!text) {
        return {};
    }
    try {
        return read_history(parse_json(*text));
    } catch (const JsonError&) {
        throw Refusal(path + " is damaged");
    }
}

void save(const History& history) {
    const std::string draft = path + ".new";
    std::error_code error;
    const bool written = write_file(draft, to_text(history_json(history)));
    if (written) {
        std::filesystem::rename(draft, path, error);
    }
    if (!written || error) {
        throw Refusal("cannot write " + path);
    }
}
