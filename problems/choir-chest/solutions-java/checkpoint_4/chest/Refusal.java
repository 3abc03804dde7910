package chest;

/** A reason for which a command is refused. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String reason) {
        super(reason, null, false, false);
    }
}
