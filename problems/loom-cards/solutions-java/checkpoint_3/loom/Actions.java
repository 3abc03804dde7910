package loom;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What actions do. Texts are strings with one character for each byte. */
final class Actions {
    private static final int MAX_FIRST = 500;

    /** An action: the number of words after its name, their check, and the change of a text. */
    private record Action(int words, Check check, Change change) {}

    private interface Check {
        void check(List<String> words);
    }

    private interface Change {
        String apply(String text, List<String> words, UnaryOperator<String> find);
    }

    private static final Check NONE = words -> {};

    private static final Map<String, Action> ALL = Map.of(
        "upper", new Action(0, NONE, (text, words, find) -> shifted(text, 'a', 'z', 'A' - 'a')),
        "lower", new Action(0, NONE, (text, words, find) -> shifted(text, 'A', 'Z', 'a' - 'A')),
        "sort", new Action(0, NONE, (text, words, find) -> Lines.join(Lines.of(text).stream().sorted().toList())),
        "number", new Action(0, NONE, (text, words, find) -> numbered(text)),
        "first", new Action(1, Actions::checkCount, (text, words, find) -> first(text, words.get(0))),
        "title", new Action(1, NONE, (text, words, find) -> bytes(words.get(0)) + "\n" + text),
        "replace", new Action(2, Actions::checkReplace,
            (text, words, find) -> text.replace(bytes(words.get(0)), bytes(words.get(1)))),
        "unfold", new Action(0, NONE, (text, words, find) -> unfolded(text, find)));

    private Actions() {}

    /** Refuses an action whose words are wrong. */
    static void check(List<String> words) {
        Action action = ALL.get(words.get(0));
        if (action == null) {
            throw new CardError("unknown action '%s'".formatted(words.get(0)));
        }
        List<String> rest = words.subList(1, words.size());
        if (rest.size() < action.words) {
            throw new CardError("too few words");
        }
        if (rest.size() > action.words) {
            throw new CardError("too many words");
        }
        action.check.check(rest);
    }

    /** Applies actions one after another. They find the contents of paths with a function. */
    static String run(List<List<String>> actions, String text, UnaryOperator<String> find) {
        String result = text;
        for (List<String> words : actions) {
            Change change = ALL.get(words.get(0)).change;
            result = change.apply(result, words.subList(1, words.size()), find);
        }
        return result;
    }

    private static void checkCount(List<String> words) {
        String count = words.get(0);
        boolean isNumber = count.matches("[0-9]{1,4}");
        if (!isNumber || Integer.parseInt(count) < 1 || Integer.parseInt(count) > MAX_FIRST) {
            throw new CardError("bad number '%s'".formatted(count));
        }
    }

    private static void checkReplace(List<String> words) {
        if (words.get(0).isEmpty()) {
            throw new CardError("nothing to replace");
        }
    }

    /** A word as a text with one character for each byte. */
    private static String bytes(String word) {
        return new String(word.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String shifted(String text, char first, char last, int distance) {
        StringBuilder result = new StringBuilder(text);
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            if (first <= letter && letter <= last) {
                result.setCharAt(at, (char) (letter + distance));
            }
        }
        return result.toString();
    }

    private static String numbered(String text) {
        List<String> lines = Lines.of(text);
        for (int at = 0; at < lines.size(); at++) {
            lines.set(at, (at + 1) + " " + lines.get(at));
        }
        return Lines.join(lines);
    }

    private static String first(String text, String count) {
        return Lines.join(Lines.of(text).stream().limit(Integer.parseInt(count)).toList());
    }

    private static String unfolded(String text, UnaryOperator<String> find) {
        return Lines.withEnds(text).stream().map(line -> unfoldedLine(line, find)).collect(Collectors.joining());
    }

    private static String unfoldedLine(String line, UnaryOperator<String> find) {
        if (line.startsWith("@@")) {
            return line.substring(1);
        }
        if (!line.startsWith("@")) {
            return line;
        }
        byte[] path = line.substring(1).replace("\n", "").getBytes(StandardCharsets.ISO_8859_1);
        String content = find.apply(new String(path, StandardCharsets.UTF_8));
        return content.isEmpty() || content.endsWith("\n") ? content : content + "\n";
    }
}
