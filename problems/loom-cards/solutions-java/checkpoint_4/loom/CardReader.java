package loom;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads cards: their cloths, with their threads and actions. */
final class CardReader {
    private static final int MAX_THREADS = 12;

    private final Weft weft;
    private final Function<String, Optional<String>> content;
    private final Names names;
    private final Deque<String> cards = new ArrayDeque<>();
    private Rule rule;
    private String place;

    /** The content of a card that is a cloth is woven first. */
    CardReader(Weft weft, Function<String, Optional<String>> content, Map<String, List<String>> settings) {
        this.weft = weft;
        this.content = content;
        this.names = new Names(settings);
    }

    void read(String card) {
        String missing = cards.isEmpty() ? "cannot read " + card : "no card '%s'".formatted(card);
        String bytes = content.apply(card).orElseThrow(() -> new CardError(missing));
        cards.push(card);
        int number = 0;
        for (String line : decoded(card, bytes).split("\n", -1)) {
            number++;
            readLineAt(card + ":" + number, line);
        }
        endCloth();
        cards.pop();
    }

    private static String decoded(String card, String bytes) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return StandardCharsets.UTF_8.newDecoder().decode(buffer).toString();
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
            case "cloth", "let", "use" -> endCloth();
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
            case "let" -> names.let(words);
            default -> use(words);
        }
    }

    private void checkInCloth(String kind) {
        if (rule == null) {
            throw new CardError("'%s' outside of a cloth".formatted(kind));
        }
    }

    private void use(List<String> words) {
        String card = onlyWord(words);
        Paths.check(card);
        if (cards.contains(card)) {
            throw new CardError("'%s' uses itself".formatted(card));
        }
        read(card);
    }

    private void beginCloth(List<String> words) {
        String path = onlyWord(words);
        Paths.checkPattern(path);
        weft.checkFree(path);
        rule = new Rule(path, place);
    }

    private static String onlyWord(List<String> words) {
        if (words.size() > 1) {
            throw new CardError("too many words");
        }
        return words.get(0);
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
