package loom;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names for words, and their replacement. */
final class Names {
    static final int MAX_WORDS = 20;
    private static final String NAME = "[a-z][a-z0-9]{0,15}";
    private static final Pattern REFERENCE = Pattern.compile("\\{(" + NAME + ")\\}");

    private final Map<String, List<String>> words = new HashMap<>();

    /** Gives a name, the first word, to the words after it. */
    void let(List<String> given) {
        String name = given.get(0);
        List<String> meaning = given.subList(1, given.size());
        if (!name.matches(NAME)) {
            throw new CardError("bad name '%s'".formatted(name));
        }
        if (meaning.size() > MAX_WORDS) {
            throw new CardError("too many words");
        }
        words.put(name, meaning);
    }

    /** The texts of words, with the words of names in place of the names. */
    List<String> replaceIn(List<Word> line) {
        List<String> texts = new ArrayList<>();
        for (Word word : line) {
            texts.addAll(word.isQuoted() ? List.of(word.text()) : replaceIn(word.text()));
        }
        return texts;
    }

    private List<String> replaceIn(String word) {
        if (REFERENCE.matcher(word).replaceAll("").contains("{")) {
            throw new CardError("bad reference in '%s'".formatted(word));
        }
        List<String> texts = List.of("");
        Matcher reference = REFERENCE.matcher(word);
        int end = 0;
        while (reference.find()) {
            texts = combine(texts, List.of(word.substring(end, reference.start())));
            texts = combine(texts, meaning(reference.group(1)));
            end = reference.end();
        }
        return combine(texts, List.of(word.substring(end)));
    }

    /** All combinations, of which the second part changes fastest. */
    private static List<String> combine(List<String> first, List<String> second) {
        return first.stream().flatMap(start -> second.stream().map(end -> start + end)).toList();
    }

    private List<String> meaning(String name) {
        List<String> meaning = words.get(name);
        if (meaning == null) {
            throw new CardError("no name '%s'".formatted(name));
        }
        return meaning;
    }
}
