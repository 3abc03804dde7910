package pantry.files;

import java.util.Collection;
import java.util.List;
import pantry.Refusal;

/** The fields of a lot in a file. */
final class Fields {
    static final List<String> REQUIRED = List.of("name", "quantity");
    static final List<String> ALL = List.of("name", "quantity", "best_before", "place");

    private Fields() {}

    /** Refuses unknown fields, then missing ones; the word is what the format calls a field. */
    static void check(Collection<String> keys, String word) {
        for (String key : keys) {
            if (!ALL.contains(key)) {
                throw new Refusal("unknown %s '%s'".formatted(word, key));
            }
        }
        for (String key : REQUIRED) {
            if (!keys.contains(key)) {
                throw new Refusal("missing %s '%s'".formatted(word, key));
            }
        }
    }
}
