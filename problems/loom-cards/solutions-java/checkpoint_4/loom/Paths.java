package loom;

import java.util.regex.Pattern;

/** The form of paths, and of patterns, which are paths with one `*`. */
final class Paths {
    private static final int MAX_LENGTH = 40;
    private static final String PART = "[A-Za-z0-9_-][A-Za-z0-9._-]*";
    private static final Pattern PATH = Pattern.compile(PART + "(/" + PART + ")*");

    private Paths() {}

    static boolean isPath(String path) {
        return path.length() <= MAX_LENGTH && PATH.matcher(path).matches();
    }

    static void check(String path) {
        if (!isPath(path)) {
            throw new CardError("bad path '%s'".formatted(path));
        }
    }

    static void checkPattern(String path) {
        if (!isPath(path.replaceFirst("\\*", "x"))) {
            throw new CardError("bad path '%s'".formatted(path));
        }
    }

    static boolean isPattern(String path) {
        return path.contains("*");
    }

    /** The text that `*` matches in a path, or null if the pattern does not match the path. */
    static String stem(String pattern, String path) {
        int star = pattern.indexOf('*');
        int end = path.length() - (pattern.length() - star - 1);
        if (end <= star || path.substring(star, end).contains("/")) {
            return null;
        }
        String stem = path.substring(star, end);
        return pattern.replace("*", stem).equals(path) ? stem : null;
    }

    /** The path of a pattern with a text for `*`. */
    static String fill(String pattern, String stem) {
        String path = pattern.replace("*", stem);
        check(path);
        return path;
    }
}
