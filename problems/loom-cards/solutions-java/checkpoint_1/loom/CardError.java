package loom;

/** A failure; its message is for the user. */
public final class CardError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CardError(String message) {
        super(message);
    }
}
