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
