#include "json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace {

std::string quoted(std::string_view text) {
    static constexpr std::string_view hex = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += {'\\', c};
        } else if (static_cast<unsigned char>(c) < 0x20) {
            result += {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 0xf]};
        } else {
            result += c;
        }
    }
    return result + "\"";
}

/// Adds a character to UTF-8 text.
void append(std::string& text, std::uint32_t point) {
    const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
    if (point < 0x80) {
        text += static_cast<char>(point);
    } else if (point < 0x800) {
        text += static_cast<char>(0xc0 | point >> 6);
        tail(0);
    } else if (point < 0x10000) {
        text += static_cast<char>(0xe0 | point >> 12);
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xf0 | point >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

class Parser {
public:
    explicit Parser(std::string_view text) : rest_(text) {}

    Json document() {
        Json json = value();
        skip_space();
        if (!rest_.empty()) {
            throw JsonError("text after the value");
        }
        return json;
    }

private:
    Json value() {
        skip_space();
        switch (rest_.empty() ? '\0' : rest_.front()) {
            case '"':
                return {string()};
            case '[':
                return {items<Json>('[', ']', [this] { return value(); })};
            case '{':
                return {items<Json::Member>('{', '}', [this] { return member(); })};
            default:
                return scalar();
        }
    }

    void skip_space() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    }

    bool skip(char c) {
        if (!rest_.starts_with(c)) {
            return false;
        }
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char c) {
        if (!skip(c)) {
            throw JsonError(std::string("expected ") + c);
        }
    }

    char next() {
        if (rest_.empty()) {
            throw JsonError("the text ends too soon");
        }
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    /// What stands between brackets, separated by commas.
    template <typename Item, typename Read>
    std::vector<Item> items(char open, char close, Read read) {
        std::vector<Item> result;
        expect(open);
        skip_space();
        if (skip(close)) {
            return result;
        }
        do {
            result.push_back(read());
            skip_space();
        } while (skip(','));
        expect(close);
        return result;
    }

    Json::Member member() {
        skip_space();
        std::string key = string();
        skip_space();
        expect(':');
        return {std::move(key), value()};
    }

    std::string string() {
        std::string text;
        expect('"');
        while (!skip('"')) {
            const char c = next();
            if (static_cast<unsigned char>(c) < 0x20) {
                throw JsonError("a control character in a text");
            }
            if (c == '\\') {
                append_escaped(text);
            } else {
                text += c;
            }
        }
        return text;
    }

    void append_escaped(std::string& text) {
        static constexpr std::string_view letters = "\"\\/bfnrt";
        static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        const char letter = next();
        if (letter == 'u') {
            append(text, code_point());
        } else if (const auto at = letters.find(letter); at != std::string_view::npos) {
            text += meanings[at];
        } else {
            throw JsonError("an unknown escape");
        }
    }

    /// A character by its number, or by a pair of surrogates.
    std::uint32_t code_point() {
        const std::uint32_t high = hex_number();
        if (high < 0xd800 || high > 0xdfff) {
            return high;
        }
        expect('\\');
        expect('u');
        const std::uint32_t low = hex_number();
        if (high > 0xdbff || low < 0xdc00 || low > 0xdfff) {
            throw JsonError("half a character");
        }
        return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    }

    std::uint32_t hex_number() {
        const std::string_view digits = rest_.substr(0, 4);
        std::uint32_t number = 0;
        const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
        if (digits.size() < 4 || result.ptr != digits.data() + 4) {
            throw JsonError("expected four hexadecimal digits");
        }
        rest_.remove_prefix(4);
        return number;
    }

    Json scalar() {
        const auto end = rest_.find_first_not_of("+-.0123456789abcdefghijklmnopqrstuvwxyzE");
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(word.size());
        if (word == "null") {
            return {nullptr};
        }
        if (word == "true" || word == "false") {
            return {word == "true"};
        }
        if (const auto whole = number<std::uint64_t>(word)) {
            return {*whole};
        }
        const auto other = number<double>(word);
        if (other && std::isfinite(*other)) {
            return {*other};
        }
        throw JsonError("not a value");
    }

    template <typename Number>
    static std::optional<Number> number(std::string_view word) {
        Number number{};
        const auto result = std::from_chars(word.data(), word.data() + word.size(), number);
        if (result.ec != std::errc{} || result.ptr != word.data() + word.size()) {
            return std::nullopt;
        }
        return number;
    }

    std::string_view rest_;
};

/// The texts of items between brackets.
template <typename Items, typename Write>
std::string bracketed(char open, const Items& items, char close, Write write) {
    std::string result(1, open);
    for (const auto& item : items) {
        result += result.size() > 1 ? ", " : "";
        result += write(item);
    }
    return result + close;
}

/// Writes each kind of value.
struct Writer {
    std::string operator()(std::nullptr_t) const { return "null"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::uint64_t number) const { return std::to_string(number); }
    std::string operator()(const std::string& text) const { return quoted(text); }

    std::string operator()(double number) const {
        std::array<char, 32> digits{};
        const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
        return {digits.data(), result.ptr};
    }

    std::string operator()(const Json::List& items) const { return bracketed('[', items, ']', to_text); }

    std::string operator()(const Json::Object& members) const {
        return bracketed('{', members, '}', [](const Json::Member& member) {
            return quoted(member.key) + ": " + to_text(member.value);
        });
    }
};

}  // namespace

const Json* Json::find(std::string_view key) const {
    const auto& members = as<Object>();
    const auto found = std::ranges::find(members, key, &Member::key);
    return found == members.end() ? nullptr : &found->value;
}

const Json& Json::at(std::string_view key) const {
    if (const Json* found = find(key)) {
        return *found;
    }
    throw JsonError("no member " + std::string(key));
}

std::string to_text(const Json& json) {
    return std::visit(Writer{}, json.value);
}

Json parse_json(std::string_view text) {
    return Parser(text).document();
}
