package loom;

import java.util.ArrayList;
import java.util.List;

/** Splits a line of a card into words. */
final class LineSplitter {
    private final String line;
    private int at;

    private LineSplitter(String line) {
        this.line = line;
    }

    static List<String> split(String line) {
        return new LineSplitter(line).words();
    }

    private List<String> words() {
        List<String> words = new ArrayList<>();
        skipBlanks();
        while (!isAtEnd() && line.charAt(at) != '#') {
            words.add(line.charAt(at) == '"' ? quotedWord() : plainWord());
            skipBlanks();
        }
        return words;
    }

    private boolean isAtEnd() {
        return at >= line.length();
    }

    private boolean isAtBlank() {
        return line.charAt(at) == ' ' || line.charAt(at) == '\t';
    }

    private void skipBlanks() {
        while (!isAtEnd() && isAtBlank()) {
            at++;
        }
    }

    private String plainWord() {
        int start = at;
        while (!isAtEnd() && !isAtBlank()) {
            at++;
        }
        return line.substring(start, at);
    }

    private String quotedWord() {
        StringBuilder word = new StringBuilder();
        at++;
        while (!isAtEnd() && line.charAt(at) != '"') {
            char character = line.charAt(at++);
            word.append(character == '\\' ? escaped() : character);
        }
        if (isAtEnd()) {
            throw new CardError("quote not closed");
        }
        at++;
        if (!isAtEnd() && !isAtBlank()) {
            throw new CardError("text after a quote");
        }
        return word.toString();
    }

    private char escaped() {
        if (isAtEnd()) {
            throw new CardError("quote not closed");
        }
        char character = line.charAt(at++);
        return switch (character) {
            case '"', '\\' -> character;
            case 'n' -> '\n';
            default -> throw new CardError("bad escape '\\%s'".formatted(Character.toString(line.codePointAt(at - 1))));
        };
    }
}
