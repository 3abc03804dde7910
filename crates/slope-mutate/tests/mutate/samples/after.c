#include <stdio.h>
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

int load(const char *path, int limit) {
    if (path == NULL) {
        return -1;
    }
    const char *name = "orders";
    int row_count = 0;
    if (check(path) < 0) {
        return -1;
    }
    row_count = parse_line(path, ';');
    int price = price_of(limit, 3);
    int weight = weight_of(limit, 2);
    while (row_count > limit) {
        row_count--;
    }
    fprintf(stderr, "done\n");
    print_all(name, price, weight);
    row_count = strlen(name);
    return row_count;
}

void report(struct row *rows, struct writer *out) {
    out->count = 0;
    if (rows) {
        write_rows(out, rows);
        flush(out);
    }
}
