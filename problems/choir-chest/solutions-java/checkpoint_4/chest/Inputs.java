package chest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import json.Json;
import json.JsonException;

/** Hostile input: files and JSON. */
final class Inputs {
    static final int MOST_BYTES = 100_000;
    private static final int MOST_OPEN = 20;

    private Inputs() {}

    static byte[] readBytes(String path) {
        try {
            return Files.readAllBytes(Path.of(path));
        } catch (IOException | InvalidPathException error) {
            throw new Refusal("no such file");
        }
    }

    /** The text in UTF-8; null if it is not UTF-8. */
    static String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            return null;
        }
    }

    static String readText(String path) {
        String text = decoded(readBytes(path));
        if (text == null) {
            throw new Refusal("not utf-8");
        }
        return text;
    }

    /** The members of the JSON object in a text whose values are all strings; null if there is none. */
    @SuppressWarnings("unchecked")
    static Map<String, String> parseStrings(String text) {
        try {
            boolean isRight = Json.parse(text) instanceof Map<?, ?> members
                    && members.values().stream().allMatch(String.class::isInstance);
            return isRight ? (Map<String, String>) Json.parse(text) : null;
        } catch (JsonException | StackOverflowError error) {
            return null;
        }
    }

    static boolean hasSurrogate(String text) {
        return text.codePoints().anyMatch(code -> Character.getType(code) == Character.SURROGATE);
    }

    /** Whether too many brackets are open at one place of what may be JSON. */
    static boolean isTooDeep(String text) {
        int depth = 0;
        boolean inString = false;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '"') {
                inString = !inString;
            } else if (inString) {
                at += character == '\\' ? 1 : 0;
            } else if (character == '[' || character == '{') {
                depth++;
            } else if (character == ']' || character == '}') {
                depth = Math.max(0, depth - 1);
            }
            if (depth > MOST_OPEN) {
                return true;
            }
        }
        return false;
    }
}
