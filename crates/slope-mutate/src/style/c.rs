//! C and C++.

use super::{NewFile, Returns, Style, Utility};

const UTILITIES: &[Utility] = &[
    Utility {
        name: "text length",
        replaces: "strlen",
        arguments: 1,
        text: "\
static size_t {name}(const char *text) {
    size_t count = 0;
    while (text[count] != '\\0') {
        count++;
    }
    return count;
}
",
    },
    Utility {
        name: "compare texts",
        replaces: "strcmp",
        arguments: 2,
        text: "\
static int {name}(const char *first, const char *second) {
    while (*first && *first == *second) {
        first++;
        second++;
    }
    return (unsigned char)*first - (unsigned char)*second;
}
",
    },
    Utility {
        name: "find char",
        replaces: "strchr",
        arguments: 2,
        text: "\
static char *{name}(const char *text, int wanted) {
    for (; *text; text++) {
        if (*text == (char)wanted) {
            return (char *)text;
        }
    }
    return wanted == 0 ? (char *)text : 0;
}
",
    },
    Utility {
        name: "copy bytes",
        replaces: "memcpy",
        arguments: 3,
        text: "\
static void *{name}(void *target, const void *source, size_t count) {
    char *to = (char *)target;
    const char *from = (const char *)source;
    size_t i;
    for (i = 0; i < count; i++) {
        to[i] = from[i];
    }
    return target;
}
",
    },
    Utility {
        name: "is digit char",
        replaces: "isdigit",
        arguments: 1,
        text: "\
static int {name}(int c) {
    return c >= '0' && c <= '9';
}
",
    },
    Utility {
        name: "absolute value",
        replaces: "abs",
        arguments: 1,
        text: "\
static int {name}(int value) {
    if (value < 0) {
        return -value;
    }
    return value;
}
",
    },
    Utility {
        name: "limit value",
        replaces: "",
        arguments: 0,
        text: "\
static int {name}(int value, int low, int high) {
    int result = value;
    if (result < low) {
        result = low;
    } else if (result > high) {
        result = high;
    }
    return result;
}
",
    },
    Utility {
        name: "ends with",
        replaces: "",
        arguments: 0,
        text: "\
static int {name}(const char *text, const char *end) {
    int a = 0;
    int b = 0;
    while (text[a]) {
        a++;
    }
    while (end[b]) {
        b++;
    }
    while (a > 0 && b > 0 && text[a - 1] == end[b - 1]) {
        a--;
        b--;
    }
    return b == 0;
}
",
    },
];

const CPP_UTILITIES: &[Utility] = &[
    Utility {
        name: "larger of",
        replaces: "std::max",
        arguments: 2,
        text: "\
template <typename T>
static T {name}(const T& first, const T& second) {
    if (first > second) {
        return first;
    }
    return second;
}
",
    },
    Utility {
        name: "smaller of",
        replaces: "std::min",
        arguments: 2,
        text: "\
template <typename T>
static T {name}(const T& first, const T& second) {
    if (first < second) {
        return first;
    }
    return second;
}
",
    },
    Utility {
        name: "text length",
        replaces: "strlen",
        arguments: 1,
        text: "\
static unsigned long {name}(const char* text) {
    unsigned long count = 0;
    while (text[count] != '\\0') {
        count++;
    }
    return count;
}
",
    },
    Utility {
        name: "limit value",
        replaces: "",
        arguments: 0,
        text: "\
static int {name}(int value, int low, int high) {
    int result = value;
    if (result < low) {
        result = low;
    } else if (result > high) {
        result = high;
    }
    return result;
}
",
    },
    Utility {
        name: "digits in",
        replaces: "",
        arguments: 0,
        text: "\
static int {name}(long value) {
    int count = 1;
    while (value >= 10 || value <= -10) {
        value /= 10;
        count++;
    }
    return count;
}
",
    },
];

const FILES: &[NewFile] = &[
    NewFile {
        kind: "adapter-family",
        name: "row_writers{suffix}",
        text: "\
/* Writers of rows, one for each format. */
#include <stdio.h>

struct row_writer {
    const char *suffix;
    void (*write)(FILE *out, const char **fields, int count);
};

static void write_separated(FILE *out, const char **fields, int count, char separator) {
    for (int i = 0; i < count; i++) {
        fprintf(out, \"%s%c\", fields[i], i + 1 < count ? separator : '\\n');
    }
}

static void write_csv(FILE *out, const char **fields, int count) {
    write_separated(out, fields, count, ',');
}

static void write_tsv(FILE *out, const char **fields, int count) {
    write_separated(out, fields, count, '\\t');
}

static void write_lines(FILE *out, const char **fields, int count) {
    write_separated(out, fields, count, '\\n');
}

const struct row_writer row_writers[] = {
    {\".csv\", write_csv},
    {\".tsv\", write_tsv},
    {\".txt\", write_lines},
};
",
    },
    NewFile {
        kind: "generated-code",
        name: "messages.pb{suffix}",
        text: "\
/* Automatically generated by nanopb. DO NOT EDIT. */

void write_id(unsigned char *out, const unsigned char *value, int length) {
    *out++ = (1 << 3) | 2;
    *out++ = (unsigned char)length;
    while (length-- > 0) *out++ = *value++;
}

void write_name(unsigned char *out, const unsigned char *value, int length) {
    *out++ = (2 << 3) | 2;
    *out++ = (unsigned char)length;
    while (length-- > 0) *out++ = *value++;
}

void write_kind(unsigned char *out, const unsigned char *value, int length) {
    *out++ = (3 << 3) | 2;
    *out++ = (unsigned char)length;
    while (length-- > 0) *out++ = *value++;
}
",
    },
    NewFile {
        kind: "table-driven",
        name: "unit_sizes{suffix}",
        text: "\
/* Sizes of units in bytes. */
#include <string.h>

static const struct {
    const char *name;
    long bytes;
} units[] = {
    {\"b\", 1},
    {\"kb\", 1000},
    {\"kib\", 1024},
    {\"mb\", 1000000},
    {\"mib\", 1048576},
};

long unit_size(const char *name) {
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(units[i].name, name) == 0) {
            return units[i].bytes;
        }
    }
    return 0;
}
",
    },
];

const CPP_FILES: &[NewFile] = &[
    NewFile { kind: "adapter-family", name: "row_writers{suffix}", text: "\
// Writers of rows, one for each format.
#include <string>
#include <vector>

class RowWriter {
public:
    virtual ~RowWriter() = default;
    virtual std::string write(const std::vector<std::string>& row) const = 0;

protected:
    static std::string join(const std::vector<std::string>& row, char separator) {
        std::string out;
        for (const auto& field : row) {
            if (!out.empty()) out += separator;
            out += field;
        }
        return out + '\\n';
    }
};

class CsvWriter : public RowWriter {
public:
    std::string write(const std::vector<std::string>& row) const override { return join(row, ','); }
};

class TsvWriter : public RowWriter {
public:
    std::string write(const std::vector<std::string>& row) const override { return join(row, '\\t'); }
};

class LinesWriter : public RowWriter {
public:
    std::string write(const std::vector<std::string>& row) const override { return join(row, '\\n'); }
};
" },
    NewFile { kind: "interface-implementation", name: "value_stores{suffix}", text: "\
// Stores of texts.
#include <map>
#include <string>

class ValueStore {
public:
    virtual ~ValueStore() = default;
    virtual std::string get(const std::string& key) const = 0;
    virtual void put(const std::string& key, const std::string& value) = 0;
};

class MemoryStore : public ValueStore {
public:
    std::string get(const std::string& key) const override {
        auto found = values_.find(key);
        return found == values_.end() ? std::string() : found->second;
    }

    void put(const std::string& key, const std::string& value) override { values_[key] = value; }

private:
    std::map<std::string, std::string> values_;
};

class EmptyStore : public ValueStore {
public:
    std::string get(const std::string&) const override { return {}; }

    void put(const std::string&, const std::string&) override {}
};
" },
];

const BASE: Style = Style {
    ids: &[],
    step: "    ",
    returns: Returns::Before,
    has_free_functions: true,
    types_first: true,
    shares_types: false,
    snake: true,
    braces: true,
    bracketed: true,
    gap: 1,
    comment: "// ",
    end: ";",
    nil: Some("{x} == NULL"),
    leave: "return;",
    print: "printf(\"{text}\\n\");",
    print_needs: "<stdio.h>",
    not: "!{x}",
    unused_imports: &[],
    unused_locals: &[
        ("int retry_count = 0;", "retry_count"),
        ("int is_valid = 0;", "is_valid"),
        ("int default_timeout = 30;", "default_timeout"),
    ],
    utilities: &[],
    logged: "",
    swallowed: "",
    catch_all: "",
    raises: &[("return -1;", "exit(1);"), ("return NULL;", "exit(1);")],
    logs: &[
        ("fprintf(stderr, ", "printf("),
        ("log_error(", "printf("),
        ("log_debug(", "printf("),
    ],
    flag_param: "int {flag}",
    has_defaults: false,
    flags: ("0", "1"),
    mode_param: "int mode",
    mode_test: "mode == {n}",
    mode_arg: "{n}",
    declare: "",
    dependencies: &[],
    files: &[],
    scratch: &[
        (
            "debug_{stem}{suffix}",
            "#include <stdio.h>\n\nint main(void) {\n    printf(\"it works\\n\");\n    return 0;\n}\n",
        ),
        (
            "tmp_{stem}{suffix}",
            "/* quick check, delete later */\nint main(void) {\n    return 0;\n}\n",
        ),
    ],
};

pub(super) static C: Style = Style {
    ids: &["c"],
    comment: "/* ",
    unused_imports: &[
        ("#include <ctype.h>", "ctype.h"),
        ("#include <time.h>", "time.h"),
        ("#include <math.h>", "math.h"),
        ("#include <limits.h>", "limits.h"),
    ],
    utilities: UTILITIES,
    files: FILES,
    ..BASE
};

pub(super) static CPP: Style = Style {
    ids: &["cpp"],
    nil: Some("{x} == nullptr"),
    print: "std::cout << \"{text}\" << std::endl;",
    print_needs: "<iostream>",
    unused_imports: &[
        ("#include <algorithm>", "algorithm"),
        ("#include <chrono>", "chrono"),
        ("#include <map>", "map"),
        ("#include <sstream>", "sstream"),
    ],
    unused_locals: &[
        ("int retry_count = 0;", "retry_count"),
        ("bool is_valid = false;", "is_valid"),
        ("auto default_timeout = 30;", "default_timeout"),
    ],
    utilities: CPP_UTILITIES,
    logged: "try {\n{body}\n} catch (const std::exception& e) {\n    std::cerr << e.what() << std::endl;\n}",
    swallowed: "try {\n{body}\n} catch (...) {\n}",
    catch_all: "catch (...",
    raises: &[
        ("throw std::invalid_argument(", "throw std::runtime_error("),
        ("throw std::out_of_range(", "throw std::runtime_error("),
        ("throw std::logic_error(", "throw std::runtime_error("),
    ],
    logs: &[
        ("std::cerr << ", "std::cout << "),
        ("fprintf(stderr, ", "printf("),
    ],
    flag_param: "bool {flag} = false",
    has_defaults: true,
    flags: ("false", "true"),
    declare: "auto {name} = {value};",
    files: CPP_FILES,
    ..BASE
};
