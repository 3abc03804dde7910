// Texts and lists of any content, written so that they can be read back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

class RecordWriter {
public:
    void text(std::string_view text) { data_ += std::to_string(text.size()) + ":" + std::string(text) + "\n"; }

    template <typename Items, typename Write>
    void list(const Items& items, Write write) {
        text(std::to_string(items.size()));
        for (const auto& item : items) {
            write(item);
        }
    }

    const std::string& data() const { return data_; }

private:
    std::string data_;
};

/// Reads what a `RecordWriter` wrote, in the same order.
class RecordReader {
public:
    explicit RecordReader(std::string_view data) : rest_(data) {}

    std::string text() {
        const std::size_t sign = rest_.find(':');
        const std::size_t size = std::stoul(std::string(rest_.substr(0, sign)));
        const std::string text(rest_.substr(sign + 1, size));
        rest_.remove_prefix(sign + 1 + size + 1);
        return text;
    }

    template <typename Read>
    auto list(Read read) {
        std::vector<decltype(read())> items;
        for (std::size_t count = std::stoul(text()); count > 0; --count) {
            items.push_back(read());
        }
        return items;
    }

private:
    std::string_view rest_;
};
