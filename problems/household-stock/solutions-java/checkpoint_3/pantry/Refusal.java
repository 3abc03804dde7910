package pantry;

/** A request that the pantry refuses; the message is for the user. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Refusal(String message) {
        super(message);
    }
}
