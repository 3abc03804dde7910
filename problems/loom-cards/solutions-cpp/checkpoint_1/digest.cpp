#include "digest.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace {

using Word = std::uint32_t;

constexpr std::size_t block_size = 64;

constexpr std::array<Word, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class Sha256 {
public:
    void add_block(std::string_view block) {
        const std::array<Word, 64> words = schedule(block);
        auto [a, b, c, d, e, f, g, h] = state_;
        for (std::size_t round = 0; round < words.size(); ++round) {
            const Word sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
            const Word choice = (e & f) ^ (~e & g);
            const Word first = h + sum1 + choice + constants[round] + words[round];
            const Word sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
            const Word majority = (a & b) ^ (a & c) ^ (b & c);
            h = g;
            g = f;
            f = e;
            e = d + first;
            d = c;
            c = b;
            b = a;
            a = first + sum0 + majority;
        }
        const std::array<Word, 8> added{a, b, c, d, e, f, g, h};
        for (std::size_t index = 0; index < added.size(); ++index) {
            state_[index] += added[index];
        }
    }

    std::string hexadecimal() const {
        static constexpr std::string_view digits = "0123456789abcdef";
        std::string text;
        for (const Word word : state_) {
            for (int shift = 28; shift >= 0; shift -= 4) {
                text += digits[word >> shift & 0xf];
            }
        }
        return text;
    }

private:
    static std::array<Word, 64> schedule(std::string_view block) {
        std::array<Word, 64> words{};
        for (std::size_t index = 0; index < block_size; ++index) {
            words[index / 4] = words[index / 4] << 8 | static_cast<unsigned char>(block[index]);
        }
        for (std::size_t index = 16; index < words.size(); ++index) {
            const Word early = words[index - 15];
            const Word late = words[index - 2];
            words[index] = words[index - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) +
                           words[index - 7] + (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
        }
        return words;
    }

    std::array<Word, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

/// The end of what is digested: a mark, zeros up to a whole block, and the size in bits.
std::string padding(std::size_t size) {
    const std::size_t zeros = (2 * block_size - 9 - size % block_size) % block_size;
    std::string text = "\x80" + std::string(zeros, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) {
        text += static_cast<char>(static_cast<std::uint64_t>(size) * 8 >> shift);
    }
    return text;
}

}  // namespace

std::string digest(std::string_view content) {
    const std::string padded = std::string(content) + padding(content.size());
    Sha256 hash;
    for (std::size_t at = 0; at < padded.size(); at += block_size) {
        hash.add_block(std::string_view(padded).substr(at, block_size));
    }
    return hash.hexadecimal();
}
