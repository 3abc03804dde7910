package loom;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a card: its cloths, with their threads and actions. */
final class CardReader {
    private static final int MAX_THREADS = 12;

    private final Map<String, Cloth> cloths = new LinkedHashMap<>();
    private Rule rule;

    Map<String, Cloth> read(String card, Optional<String> content) {
        int number = 0;
        for (String line : decoded(card, content).split("\n", -1)) {
            number++;
            try {
                readLine(LineSplitter.split(line));
            } catch (CardError error) {
                throw new CardError("%s:%d: %s".formatted(card, number, error.getMessage()));
            }
        }
        endCloth();
        return cloths;
    }

    private static String decoded(String card, Optional<String> content) {
        try {
            byte[] bytes = content.orElseThrow(CharacterCodingException::new).getBytes(StandardCharsets.ISO_8859_1);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            throw new CardError("cannot read " + card);
        }
    }

    private void readLine(List<String> line) {
        if (line.isEmpty()) {
            return;
        }
        String kind = line.get(0);
        List<String> words = line.subList(1, line.size());
        if (!List.of("cloth", "from", "do").contains(kind)) {
            throw new CardError("unknown word '%s'".formatted(kind));
        }
        if (rule == null && !kind.equals("cloth")) {
            throw new CardError("'%s' outside of a cloth".formatted(kind));
        }
        if (words.isEmpty()) {
            throw new CardError("too few words");
        }
        switch (kind) {
            case "cloth" -> beginCloth(words);
            case "from" -> addThreads(words);
            default -> addAction(words);
        }
    }

    private void beginCloth(List<String> words) {
        if (words.size() > 1) {
            throw new CardError("too many words");
        }
        String path = words.get(0);
        Paths.check(path);
        endCloth();
        if (cloths.containsKey(path)) {
            throw new CardError("'%s' is there already".formatted(path));
        }
        rule = new Rule(path);
    }

    private void endCloth() {
        if (rule != null) {
            cloths.put(rule.path, rule.cloth());
        }
    }

    private void addThreads(List<String> paths) {
        paths.forEach(Paths::check);
        rule.threads.addAll(paths);
        if (rule.threads.size() > MAX_THREADS) {
            throw new CardError("too many threads");
        }
    }

    private void addAction(List<String> words) {
        Actions.check(words);
        rule.actions.add(words);
    }
}
