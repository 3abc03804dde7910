#include "report.hpp"

#include <map>

#include "csv.hpp"
#include "text.hpp"

namespace {

std::string key_of(const Lot& lot, const std::string& key) {
    if (key == "name") {
        return lot.name;
    }
    if (key == "place") {
        return lot.place;
    }
    return lot.best_before ? lot.best_before->substr(0, 7) : "none";
}

std::uint64_t sum_in(const std::vector<Lot>& lots, std::string_view unit) {
    std::uint64_t sum = 0;
    for (const Lot& lot : lots) {
        sum += lot.quantity.unit == unit ? lot.quantity.amount : 0;
    }
    return sum;
}

void add_group(Report& report, const std::string& key, const std::vector<Lot>& lots) {
    std::string line = key + ": " + std::to_string(lots.size()) + " lots";
    std::vector<Json> row{{key}, {lots.size()}};
    for (const std::string_view unit : base_units) {
        const std::uint64_t sum = sum_in(lots, unit);
        row.push_back({sum});
        if (sum > 0) {
            line += ", " + describe(Quantity{sum, std::string(unit)});
        }
    }
    report.rows.push_back(std::move(row));
    report.lines.push_back(std::move(line));
}

std::string cell_text(const Json& value) {
    const auto* text = std::get_if<std::string>(&value.value);
    return text ? *text : to_text(value);
}

std::string csv(const Report& report) {
    std::string text = csv_line(report.columns);
    for (const auto& row : report.rows) {
        std::vector<std::string> cells;
        for (const Json& value : row) {
            cells.push_back(cell_text(value));
        }
        text += csv_line(cells);
    }
    text.pop_back();
    return text;
}

std::string json(const Report& report) {
    Json::List objects;
    for (const auto& row : report.rows) {
        Json::Object object;
        for (std::size_t index = 0; index < row.size(); ++index) {
            object.push_back({report.columns[index], row[index]});
        }
        objects.push_back({object});
    }
    return to_text({objects});
}

}  // namespace

Report group_lots(const std::vector<Lot>& lots, const std::string& key) {
    // A month begins with a digit, so `none` comes after all months.
    std::map<std::string, std::vector<Lot>> groups;
    for (const Lot& lot : lots) {
        groups[key_of(lot, key)].push_back(lot);
    }
    Report report{.columns = {"key", "lots"}, .rows = {}, .lines = {}, .nothing = "no lots found"};
    report.columns.insert(report.columns.end(), base_units.begin(), base_units.end());
    for (const auto& [group, members] : groups) {
        add_group(report, group, members);
    }
    return report;
}

std::string print(const Report& report, const std::string& format) {
    if (format == "csv") {
        return csv(report);
    }
    if (format == "json") {
        return json(report);
    }
    return report.lines.empty() ? report.nothing : joined(report.lines, "\n");
}
