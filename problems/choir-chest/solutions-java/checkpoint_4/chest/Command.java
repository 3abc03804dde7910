package chest;

import java.io.IOException;
import java.util.List;

/** A command with the number of its arguments. */
record Command(int count, Action action) {
    /** Does it, and returns what to print. */
    @FunctionalInterface
    interface Action {
        byte[] run(Store store, List<String> args) throws IOException;
    }
}
