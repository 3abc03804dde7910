package loom;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A tree in which nothing really changes. */
final class DraftTree extends Tree {
    private final Map<String, Optional<String>> changed = new HashMap<>();

    DraftTree(String root) {
        super(root);
    }

    @Override
    boolean isFile(String path) {
        return changed.containsKey(path) ? changed.get(path).isPresent() : super.isFile(path);
    }

    @Override
    Optional<String> read(String path) {
        return changed.containsKey(path) ? changed.get(path) : super.read(path);
    }

    @Override
    void write(String path, String content) {
        changed.put(path, Optional.of(content));
    }

    @Override
    void remove(String path) {
        changed.put(path, Optional.empty());
    }
}
