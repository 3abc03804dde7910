package loom;

/** A word of a line, and whether it is written with quotes. */
record Word(String text, boolean isQuoted) {}
