package pantry;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The filters of a command line, which select lots. */
final class Filter {
    private static final String[] VALUED = {"name", "place", "before", "min", "max"};

    private final List<Predicate<Lot>> tests = new ArrayList<>();

    private Filter() {}

    static Syntax addTo(Syntax syntax) {
        return syntax.valued(VALUED).flags("undated");
    }

    /** The filters are read in the order in which faults are reported. */
    static Filter of(Options options) {
        Filter filter = new Filter();
        filter.read(options, "name", Filter::byName);
        filter.read(options, "place", Filter::byPlace);
        filter.read(options, "before", Filter::byDate);
        filter.read(options, "undated", flag -> lot -> !lot.isDated());
        filter.read(options, "min", byAmount((amount, limit) -> amount >= limit));
        filter.read(options, "max", byAmount((amount, limit) -> amount <= limit));
        return filter;
    }

    private void read(Options options, String name, Function<String, Predicate<Lot>> test) {
        options.find(name).map(test).ifPresent(tests::add);
    }

    /** The lots that pass all filters. */
    List<Lot> choose(List<Lot> lots) {
        return lots.stream().filter(lot -> tests.stream().allMatch(test -> test.test(lot))).toList();
    }

    private static Predicate<Lot> byName(String text) {
        StringBuilder expression = new StringBuilder();
        text.strip().toLowerCase(Locale.ROOT).codePoints()
            .forEach(character -> expression.append(expressionFor(Character.toString(character))));
        Pattern pattern = Pattern.compile(expression.toString(), Pattern.DOTALL);
        return lot -> pattern.matcher(lot.name()).matches();
    }

    private static String expressionFor(String character) {
        return switch (character) {
            case "*" -> ".*";
            case "?" -> ".";
            default -> Pattern.quote(character);
        };
    }

    private static Predicate<Lot> byPlace(String text) {
        String place = Words.place(text);
        return lot -> lot.place().equals(place);
    }

    private static Predicate<Lot> byDate(String text) {
        LocalDate date = Words.date(text);
        return lot -> lot.isBestBefore(date);
    }

    private static Function<String, Predicate<Lot>> byAmount(BiPredicate<Long, Long> comparison) {
        return text -> {
            Quantity limit = Quantity.parse(text);
            return lot -> lot.quantity().unit() == limit.unit()
                && comparison.test(lot.quantity().amount(), limit.amount());
        };
    }
}
