#include "csv.hpp"

#include "text.hpp"

namespace {

std::string quoted(std::string_view cell) {
    std::string result = "\"";
    for (const char c : cell) {
        result += c;
        if (c == '"') {
            result += '"';
        }
    }
    return result + "\"";
}

/// Takes a cell off the front of a line, up to the comma after it.
std::string take_cell(std::string_view& line) {
    std::string cell;
    bool is_quoted = false;
    while (!line.empty() && (is_quoted || line.front() != ',')) {
        const char c = line.front();
        line.remove_prefix(1);
        if (c != '"' || (!is_quoted && !cell.empty())) {
            cell += c;
        } else if (is_quoted && line.starts_with('"')) {
            cell += c;
            line.remove_prefix(1);
        } else {
            is_quoted = !is_quoted;
        }
    }
    return cell;
}

}  // namespace

std::vector<std::string> split_cells(std::string_view line) {
    std::vector<std::string> cells;
    while (!line.empty()) {
        cells.push_back(take_cell(line));
        if (line == ",") {
            cells.emplace_back();
        }
        line.remove_prefix(line.empty() ? 0 : 1);
    }
    return cells;
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::vector<std::string> written;
    for (const std::string& cell : cells) {
        const bool is_plain = cell.find_first_of("\",\r\n") == std::string::npos;
        written.push_back(is_plain ? cell : quoted(cell));
    }
    return joined(written, ",") + "\n";
}
