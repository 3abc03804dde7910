package loom;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a card: its cloths, with their threads and actions. */
final class CardReader {
    private static final int MAX_THREADS = 12;

    private final Weft weft;
    private final Names names = new Names();
    private Rule rule;
    private String place;

    /** Patterns match the sources. */
    CardReader(Set<String> sources) {
        weft = new Weft(sources);
    }

    Map<String, Cloth> read(String card, Optional<String> content) {
        int number = 0;
        for (String line : decoded(card, content).split("\n", -1)) {
            number++;
            readLineAt(card + ":" + number, line);
        }
        endCloth();
        return weft.cloths();
    }

    private static String decoded(String card, Optional<String> content) {
        try {
            byte[] bytes = content.orElseThrow(CharacterCodingException::new).getBytes(StandardCharsets.ISO_8859_1);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            throw new CardError("cannot read " + card);
        }
    }

    private void readLineAt(String linePlace, String line) {
        place = linePlace;
        try {
            readLine(LineSplitter.split(line));
        } catch (CardError error) {
            throw error.at(linePlace);
        }
    }

    private void readLine(List<Word> line) {
        if (line.isEmpty()) {
            return;
        }
        String kind = line.get(0).text();
        switch (kind) {
            case "cloth", "let" -> endCloth();
            case "from", "do" -> checkInCloth(kind);
            default -> throw new CardError("unknown word '%s'".formatted(kind));
        }
        List<String> words = names.replaceIn(line.subList(1, line.size()));
        if (words.isEmpty()) {
            throw new CardError("too few words");
        }
        switch (kind) {
            case "cloth" -> beginCloth(words);
            case "from" -> addThreads(words);
            case "do" -> addAction(words);
            default -> names.let(words);
        }
    }

    private void checkInCloth(String kind) {
        if (rule == null) {
            throw new CardError("'%s' outside of a cloth".formatted(kind));
        }
    }

    private void beginCloth(List<String> words) {
        if (words.size() > 1) {
            throw new CardError("too many words");
        }
        String path = words.get(0);
        Paths.checkPattern(path);
        weft.checkFree(path);
        rule = new Rule(path, place);
    }

    private void endCloth() {
        Rule ended = rule;
        rule = null;
        if (ended == null) {
            return;
        }
        try {
            weft.add(ended);
        } catch (CardError error) {
            throw error.at(ended.place);
        }
    }

    private void addThreads(List<String> paths) {
        paths.forEach(Paths::checkPattern);
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
