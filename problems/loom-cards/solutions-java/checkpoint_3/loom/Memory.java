package loom;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is remembered of the cloths that were woven. */
final class Memory {
    private static final String FILE = ".loom/memory";

    private final Tree tree;
    private final Map<String, Woven> woven = new TreeMap<>();

    Memory(Tree tree) {
        this.tree = tree;
        tree.read(FILE).ifPresent(content -> {
            for (Woven item : Codec.decode(content, Woven::read)) {
                woven.put(item.path(), item);
            }
        });
    }

    /** The paths of all cloths that were woven, in order. */
    Set<String> paths() {
        return new TreeSet<>(woven.keySet());
    }

    Optional<Woven> find(String path) {
        return Optional.ofNullable(woven.get(path));
    }

    void put(Woven item) {
        woven.put(item.path(), item);
        save();
    }

    void forget(String path) {
        woven.remove(path);
        save();
    }

    /** Whether the file is there as it was woven. */
    boolean isUnchanged(String path) {
        Optional<String> content = tree.read(path);
        return content.isPresent() && woven.containsKey(path)
            && woven.get(path).output().equals(Digest.of(content.get()));
    }

    private void save() {
        tree.write(FILE, Codec.encode(woven.values(), Woven::write));
    }
}
