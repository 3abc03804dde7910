package loom;

/** A failure of a cloth rather than of a line, even if a line asked for the cloth. */
final class WeavingError extends CardError {
    private static final long serialVersionUID = 1L;

    WeavingError(String message) {
        super(message);
    }

    @Override
    CardError at(String cardPlace) {
        return this;
    }
}
