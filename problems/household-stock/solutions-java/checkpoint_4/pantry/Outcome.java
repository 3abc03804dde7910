package pantry;

import java.util.List;

/** Lines to print, and the description of the change, or null if nothing was changed. */
record Outcome(List<String> lines, String change) {
    static Outcome changed(String line, String change) {
        return new Outcome(List.of(line), change);
    }

    static Outcome unchanged(String line) {
        return unchanged(List.of(line));
    }

    static Outcome unchanged(List<String> lines) {
        return new Outcome(lines, null);
    }
}
