package loom;

/** A failure; its message is for the user. */
public class CardError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String place;

    CardError(String message) {
        this(message, null);
    }

    private CardError(String message, String place) {
        super(message);
        this.place = place;
    }

    /** The failure at a place of a card, unless it has a place already. */
    CardError at(String cardPlace) {
        return place == null ? new CardError(getMessage(), cardPlace) : this;
    }

    public String describe() {
        return place == null ? getMessage() : place + ": " + getMessage();
    }
}
