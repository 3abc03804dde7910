package loom;

import java.util.List;

/** A file to make: its path, the paths of its threads, and its actions, which are lists of words. */
record Cloth(String path, List<String> threads, List<List<String>> actions) {
    String describe() {
        return threads.isEmpty() ? path + ":" : path + ": " + String.join(" ", threads);
    }
}
