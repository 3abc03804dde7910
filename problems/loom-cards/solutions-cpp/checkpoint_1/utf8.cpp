#include "utf8.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace {

/// A way to begin a character: the bits that show it, and the least code point that is written so.
struct Lead {
    unsigned char mask;
    unsigned char bits;
    std::uint32_t least;
};

/// By the number of bytes of the character.
constexpr std::array leads{Lead{0x80, 0x00, 0}, Lead{0xe0, 0xc0, 0x80}, Lead{0xf0, 0xe0, 0x800},
                           Lead{0xf8, 0xf0, 0x10000}};

/// The number of bytes of the character that a text begins with, if it is one.
std::optional<std::size_t> size_of_first(std::string_view text) {
    for (std::size_t size = 1; size <= leads.size() && size <= text.size(); ++size) {
        const Lead& lead = leads[size - 1];
        const auto first = static_cast<unsigned char>(text.front());
        if ((first & lead.mask) != lead.bits) {
            continue;
        }
        std::uint32_t point = first & ~lead.mask & 0xff;
        for (const char c : text.substr(1, size - 1)) {
            if ((c & 0xc0) != 0x80) {
                return std::nullopt;
            }
            point = point << 6 | (c & 0x3f);
        }
        const bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
        return point >= lead.least && point <= 0x10ffff && !is_surrogate ? std::optional(size) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto size = size_of_first(text);
        if (!size) {
            return false;
        }
        text.remove_prefix(*size);
    }
    return true;
}

std::string first_character(std::string_view text) {
    return std::string(text.substr(0, size_of_first(text).value_or(1)));
}
