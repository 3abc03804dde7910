package pantry;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount in a base unit. */
public record Quantity(long amount, Unit unit) {
    private static final Pattern FORM = Pattern.compile("([0-9]+)([a-z]+)");

    /** The worth of each unit that users write. */
    private static final Map<String, Quantity> UNITS = Map.of(
        "g", new Quantity(1, Unit.G),
        "kg", new Quantity(1000, Unit.G),
        "ml", new Quantity(1, Unit.ML),
        "l", new Quantity(1000, Unit.ML),
        "pc", new Quantity(1, Unit.PC));

    public static Quantity parse(String text) {
        Matcher match = FORM.matcher(text);
        Quantity worth = match.matches() ? UNITS.get(match.group(2)) : null;
        long amount = worth == null ? 0 : product(match.group(1), worth.amount);
        if (amount == 0) {
            throw new Refusal("bad quantity '%s'".formatted(text));
        }
        return new Quantity(amount, worth.unit);
    }

    /** The product, or 0 if it is too large. */
    private static long product(String digits, long factor) {
        try {
            return Math.multiplyExact(Long.parseLong(digits), factor);
        } catch (ArithmeticException | NumberFormatException error) {
            return 0;
        }
    }

    Quantity withAmount(long other) {
        return new Quantity(other, unit);
    }

    /** The quantity as users write it. */
    public String compact() {
        return amount + unit.toString();
    }

    @Override
    public String toString() {
        return amount + " " + unit;
    }
}
