// Digests of contents.
#pragma once

#include <string>
#include <string_view>

/// SHA-256 of a content, in hexadecimal digits.
std::string digest(std::string_view content);
