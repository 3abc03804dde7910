#include <iostream>
#include <string.h>

static int parse_line(const char *line, int separator) {
    int fields = 0;
    int i;
    for (i = 0; line[i] != 0; i++) {
        if (line[i] == separator) {
            fields++;
        }
    }
    return fields;
}

static int price_of(int count, int unit) {
    int total = count * unit;
    return total;
}

static int weight_of(int count, int unit) {
    int weight = count + unit;
    return weight;
}

int load(const std::string& path, std::vector<int>& rows) {
    if (path.empty()) {
        throw std::invalid_argument("no path");
    }
    const char *name = "orders";
    int row_count = 0;
    try {
        row_count = read_all(path, rows);
    } catch (const std::out_of_range& e) {
        row_count = 1;
    }
    row_count = parse_line(name, ';');
    int price = price_of(row_count, 3);
    int weight = weight_of(row_count, 2);
    for (auto& row : rows) {
        row += std::max(price, weight);
    }
    std::cerr << "done" << std::endl;
    print_all(name, price, weight);
    return row_count;
}

void report(const std::vector<int>& rows, Writer& out) {
    if (!rows.empty()) {
        out.write(rows);
        out.flush();
    }
}
