package dyer;

import java.util.List;

/** A customer's order. */
record Order(String customer, List<String> vats, String dye, long grams, long ms, Long patience) {}
