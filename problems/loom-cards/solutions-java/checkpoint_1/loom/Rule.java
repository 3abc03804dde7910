package loom;

import java.util.ArrayList;
import java.util.List;

/** A cloth while its lines are read. */
final class Rule {
    final String path;
    final List<String> threads = new ArrayList<>();
    final List<List<String>> actions = new ArrayList<>();

    Rule(String path) {
        this.path = path;
    }

    Cloth cloth() {
        return new Cloth(path, List.copyOf(threads), List.copyOf(actions));
    }
}
