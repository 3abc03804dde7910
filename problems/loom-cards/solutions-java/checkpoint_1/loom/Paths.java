package loom;

import java.util.regex.Pattern;

/** The form of paths. */
final class Paths {
    private static final int MAX_LENGTH = 40;
    private static final String PART = "[A-Za-z0-9_-][A-Za-z0-9._-]*";
    private static final Pattern PATH = Pattern.compile(PART + "(/" + PART + ")*");

    private Paths() {}

    static void check(String path) {
        if (path.length() > MAX_LENGTH || !PATH.matcher(path).matches()) {
            throw new CardError("bad path '%s'".formatted(path));
        }
    }
}
