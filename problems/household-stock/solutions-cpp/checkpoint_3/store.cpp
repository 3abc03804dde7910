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
    return {Json::Object{{"lots", {lots}}}};
}

Stock read_stock(const Json& json) {
    std::vector<Lot> lots;
    for (const Json& lot : json.at("lots").as<Json::List>()) {
        lots.push_back(read_lot(lot));
    }
    return Stock(std::move(lots));
}

}  // namespace

Stock load() {
    const auto text = read_file(path);
    if (!text) {
        return {};
    }
    try {
        return read_stock(parse_json(*text));
    } catch (const JsonError&) {
        throw Refusal(path + " is damaged");
    }
}

void save(const Stock& stock) {
    const std::string draft = path + ".new";
    std::error_code error;
    const bool written = write_file(draft, to_text(stock_json(stock)));
    if (written) {
        std::filesystem::rename(draft, path, error);
    }
    if (!written || error) {
        throw Refusal("cannot write " + path);
    }
}
