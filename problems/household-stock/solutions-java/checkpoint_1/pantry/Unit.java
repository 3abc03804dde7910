package pantry;

/** A base unit. */
public enum Unit {
    G("g"), ML("ml"), PC("pc");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    @Override
    public String toString() {
        return symbol;
    }
}
