// The file that keeps the pantry between runs.
#pragma once

#include "stock.hpp"

Stock load();

/// Replaces the file as a whole, so that an interrupted run leaves the old state.
void save(const Stock& stock);
