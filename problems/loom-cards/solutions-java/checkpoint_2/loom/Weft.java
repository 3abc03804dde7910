package loom;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The cloths that the lines so far define, in the order of the card. */
final class Weft {
    private final Set<String> sources;
    private final Map<String, Cloth> cloths = new LinkedHashMap<>();

    /** Patterns match the sources and the cloths so far. */
    Weft(Set<String> sources) {
        this.sources = sources;
    }

    /** The cloths so far; later ones appear in this map, too. */
    Map<String, Cloth> cloths() {
        return cloths;
    }

    void checkFree(String path) {
        if (cloths.containsKey(path)) {
            throw new CardError("'%s' is there already".formatted(path));
        }
    }

    void add(Rule rule) {
        if (Paths.isPattern(rule.path)) {
            addPattern(rule);
        } else {
            List<String> threads = rule.threads.stream().flatMap(thread -> matches(thread).stream()).toList();
            cloths.put(rule.path, new Cloth(rule.path, threads, rule.actions));
        }
    }

    /** The paths that a thread represents, in order. */
    private List<String> matches(String thread) {
        if (!Paths.isPattern(thread)) {
            return List.of(thread);
        }
        Set<String> known = new TreeSet<>(sources);
        known.addAll(cloths.keySet());
        return known.stream().filter(path -> Paths.stem(thread, path) != null).toList();
    }

    private void addPattern(Rule rule) {
        String leading = rule.threads.stream()
            .filter(Paths::isPattern)
            .findFirst()
            .orElseThrow(() -> new CardError("no thread with '*'"));
        for (String match : matches(leading)) {
            addMatch(rule, Paths.stem(leading, match));
        }
    }

    private void addMatch(Rule rule, String stem) {
        String path = Paths.fill(rule.path, stem);
        List<String> threads = new ArrayList<>();
        for (String thread : rule.threads) {
            threads.add(Paths.fill(thread, stem));
        }
        cloths.putIfAbsent(path, new Cloth(path, threads, rule.actions));
    }
}
