package pantry;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.regex.Pattern;

/** Names, places and dates as users write them. */
final class Words {
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private Words() {}

    static String name(String text) {
        return word(text, "name");
    }

    static String place(String text) {
        return word(text, "place");
    }

    private static String word(String text, String kind) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (word.isEmpty()) {
            throw new Refusal("empty " + kind);
        }
        return word;
    }

    static LocalDate date(String text) {
        if (DATE.matcher(text).matches() && !text.startsWith("0000")) {
            try {
                return LocalDate.parse(text);
            } catch (DateTimeException error) {
                // The message is the same as for a wrong form.
            }
        }
        throw new Refusal("bad date '%s'".formatted(text));
    }
}
