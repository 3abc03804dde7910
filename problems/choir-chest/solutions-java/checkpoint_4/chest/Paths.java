package chest;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.regex.Pattern;

/** Paths of sheets. */
final class Paths {
    private static final int MOST_CHARACTERS = 200;
    private static final Pattern PART = Pattern.compile("[\\p{L}\\p{M}\\p{N} _.,()'-]{1,60}");
    private static final Pattern WRONG_ENDS = Pattern.compile("[. -].*|.*[. ]", Pattern.DOTALL);

    /** Orders texts by code points. */
    static final Comparator<String> BY_CODES =
            (one, other) -> Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

    private Paths() {}

    /** The normal form of a path, unless it is bad. */
    static String normal(String given) {
        String path = Normalizer.normalize(given, Normalizer.Form.NFC);
        boolean isLong = path.codePoints().count() > MOST_CHARACTERS;
        if (isLong || !Arrays.stream(path.split("/", -1)).allMatch(Paths::isPart)) {
            throw new Refusal("bad path");
        }
        return path;
    }

    private static boolean isPart(String part) {
        return PART.matcher(part).matches() && !WRONG_ENDS.matcher(part).matches();
    }
}
