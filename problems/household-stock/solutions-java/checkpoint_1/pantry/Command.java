package pantry;

import java.util.List;

/** A command: its syntax and its action. */
public record Command(Syntax syntax, Action action) {
    /** Runs a command; returns the lines to print. */
    @FunctionalInterface
    public interface Action {
        List<String> run(Stock stock, Options options);
    }
}
