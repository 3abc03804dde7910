package chest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The paths that are taken, to find those that clash with them. */
final class Taken {
    private final Map<String, String> byLower = new HashMap<>();
    private final Set<String> folders = new HashSet<>();

    void add(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        byLower.put(lower, path);
        folders.addAll(foldersOf(lower));
    }

    boolean clashes(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        return !byLower.getOrDefault(lower, path).equals(path)
                || folders.contains(lower)
                || foldersOf(lower).stream().anyMatch(byLower::containsKey);
    }

    private static List<String> foldersOf(String path) {
        List<String> found = new ArrayList<>();
        for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
            found.add(path.substring(0, at));
        }
        return found;
    }
}
