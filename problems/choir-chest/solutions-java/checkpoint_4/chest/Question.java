package chest;

import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/** A question about sheets. */
@FunctionalInterface
interface Question {
    /** Fields of sheets: a function of path and text to a text, or to a number. */
    Map<String, BiFunction<String, String, Object>> FIELDS = Map.of(
            "path", (path, text) -> path,
            "folder", (path, text) -> path.contains("/") ? path.substring(0, path.indexOf('/')) : "",
            "text", (path, text) -> text,
            "size", (path, text) -> text.codePoints().count(),
            "lines", (path, text) -> text.chars().filter(code -> code == '\n').count());

    /** Comparisons of a field with a value of the same kind. */
    Map<String, BiPredicate<Object, Object>> COMPARISONS = Map.of(
            "=", Object::equals,
            "!=", (field, value) -> !field.equals(value),
            "<", (field, value) -> compare(field, value) < 0,
            ">", (field, value) -> compare(field, value) > 0,
            "~", (field, value) -> ((String) field).contains((String) value));

    boolean holds(String path, String text);

    static int compare(Object field, Object value) {
        return field instanceof Long number
                ? number.compareTo((Long) value)
                : Paths.BY_CODES.compare((String) field, (String) value);
    }

    static Question parse(String question) {
        return new QuestionParser(question).whole();
    }
}
