package loom;

import java.util.ArrayList;
import java.util.List;

/** A cloth, or a pattern of cloths, as it is written, and the place of its first line. */
final class Rule {
    final String path;
    final String place;
    final List<String> threads = new ArrayList<>();
    final List<List<String>> actions = new ArrayList<>();

    Rule(String path, String place) {
        this.path = path;
        this.place = place;
    }
}
