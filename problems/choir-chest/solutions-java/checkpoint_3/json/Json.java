package json;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** JSON as maps, lists, strings, numbers, booleans and null. */
public final class Json {
    private Json() {}

    public static Object parse(String text) {
        return new Parser(text).document();
    }

    public static String write(Object value) {
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream().map(Json::member).collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof List<?> items) {
            return items.stream().map(Json::write).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof String text ? quoted(text) : String.valueOf(value);
    }

    private static String member(Map.Entry<?, ?> member) {
        return quoted((String) member.getKey()) + ": " + write(member.getValue());
    }

    private static String quoted(String text) {
        StringBuilder result = new StringBuilder("\"");
        for (char character : text.toCharArray()) {
            if (character == '"' || character == '\\') {
                result.append('\\').append(character);
            } else if (character < ' ') {
                result.append("\\u%04x".formatted((int) character));
            } else {
                result.append(character);
            }
        }
        return result.append('"').toString();
    }
}
