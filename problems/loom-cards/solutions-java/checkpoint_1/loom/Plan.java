package loom;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A walk through cloths, which gives the order in which they are made. */
final class Plan {
    private final Map<String, Cloth> cloths;
    private final Predicate<String> isFile;
    private final List<String> way = new ArrayList<>();
    private final Set<String> order = new LinkedHashSet<>();

    Plan(Map<String, Cloth> cloths, Predicate<String> isFile) {
        this.cloths = cloths;
        this.isFile = isFile;
    }

    Set<String> order() {
        return order;
    }

    void add(String path) {
        if (way.contains(path)) {
            List<String> loop = new ArrayList<>(way.subList(way.indexOf(path), way.size()));
            loop.add(path);
            throw new CardError("cycle: " + String.join(" > ", loop));
        }
        if (order.contains(path)) {
            return;
        }
        way.add(path);
        cloths.get(path).threads().forEach(this::addThread);
        way.remove(way.size() - 1);
        order.add(path);
    }

    private void addThread(String thread) {
        if (cloths.containsKey(thread)) {
            add(thread);
        } else if (!isFile.test(thread)) {
            String needed = way.get(way.size() - 1);
            throw new CardError("no cloth and no file '%s' for '%s'".formatted(thread, needed));
        }
    }
}
