package json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one JSON text from left to right. */
final class Parser {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{4}");
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int at;

    Parser(String text) {
        this.text = text;
        skipSpace();
    }

    Object document() {
        return ended(value());
    }

    private <T> T ended(T value) {
        if (at < text.length()) {
            throw unexpected();
        }
        return value;
    }

    private Object value() {
        if (isAt("{")) {
            return object();
        }
        if (isAt("[")) {
            return list();
        }
        if (isAt("\"")) {
            return string();
        }
        return literal();
    }

    private Object literal() {
        if (took("true")) {
            return true;
        }
        if (took("false")) {
            return false;
        }
        return took("null") ? null : number();
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        take("{");
        if (took("}")) {
            return members;
        }
        do {
            String key = string();
            take(":");
            members.put(key, value());
        } while (took(","));
        take("}");
        return members;
    }

    private List<Object> list() {
        List<Object> items = new ArrayList<>();
        take("[");
        if (took("]")) {
            return items;
        }
        do {
            items.add(value());
        } while (took(","));
        take("]");
        return items;
    }

    private BigDecimal number() {
        Matcher match = NUMBER.matcher(text).region(at, text.length());
        if (!match.lookingAt()) {
            throw unexpected();
        }
        at = match.end();
        skipSpace();
        return new BigDecimal(match.group());
    }

    private String string() {
        if (!isAt("\"")) {
            throw unexpected();
        }
        at++;
        StringBuilder result = new StringBuilder();
        while (!isAt("\"")) {
            result.append(character());
        }
        take("\"");
        return result.toString();
    }

    private char character() {
        if (at >= text.length() || text.charAt(at) < ' ') {
            throw unexpected();
        }
        char next = text.charAt(at++);
        return next == '\\' ? escape() : next;
    }

    private char escape() {
        if (at < text.length() && text.charAt(at) == 'u') {
            return codeUnit();
        }
        int known = at < text.length() ? ESCAPES.indexOf(text.charAt(at)) : -1;
        if (known < 0) {
            throw unexpected();
        }
        at++;
        return ESCAPED.charAt(known);
    }

    private char codeUnit() {
        Matcher match = HEX.matcher(text).region(at + 1, text.length());
        if (!match.lookingAt()) {
            throw unexpected();
        }
        at = match.end();
        return (char) Integer.parseInt(match.group(), 16);
    }

    private boolean isAt(String token) {
        return text.startsWith(token, at);
    }

    private boolean took(String token) {
        if (!isAt(token)) {
            return false;
        }
        at += token.length();
        skipSpace();
        return true;
    }

    private void take(String token) {
        if (!took(token)) {
            throw unexpected();
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private JsonException unexpected() {
        return new JsonException("unexpected text at " + at);
    }
}
