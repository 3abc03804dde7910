package pantry.files;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import pantry.Lot;
import pantry.Refusal;

/** Words separated by white space: a quantity, a name, and marked words. */
final class TxtFormat implements LotFormat {
    private static final Map<Character, String> MARKS = Map.of('@', "place", '!', "best_before");

    @Override
    public Reader reader() {
        return line -> line.isBlank() || line.startsWith("#") ? Optional.empty() : Optional.of(fields(line));
    }

    private static Map<String, String> fields(String line) {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        Map<String, String> fields = new HashMap<>();
        List<String> name = new ArrayList<>();
        for (String word : words.subList(1, words.size())) {
            String key = MARKS.get(word.charAt(0));
            if (key == null) {
                name.add(word);
            } else {
                fields.put(key, word.substring(1));
            }
        }
        if (name.isEmpty()) {
            throw new Refusal("missing name");
        }
        fields.put("quantity", words.get(0));
        fields.put("name", String.join(" ", name));
        return fields;
    }

    @Override
    public String write(List<Lot> lots, String path) {
        return lots.stream().map(lot -> line(lot, path) + "\n").collect(Collectors.joining());
    }

    private static String line(Lot lot, String path) {
        if (lot.place().chars().anyMatch(Character::isWhitespace)) {
            throw new Refusal("cannot write place '%s' to %s".formatted(lot.place(), path));
        }
        String date = lot.isDated() ? " !" + lot.bestBefore() : "";
        return "%s %s @%s%s".formatted(lot.quantity().compact(), lot.name(), lot.place(), date);
    }
}
