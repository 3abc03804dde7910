// UTF-8 texts.
#pragma once

#include <string>
#include <string_view>

bool is_utf8(std::string_view text);

/// The first character of a text; empty at its end.
std::string first_character(std::string_view text);
