import java.util.List;
import loom.CardError;
import loom.CommandLine;
import loom.UsageError;
import loom.Workshop;

/** Weaves cloths, which are files, from threads, as cards say. */
public final class Main {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private Main() {}

    public static void main(String[] args) {
        System.exit(exitCode(List.of(args)));
    }

    private static int exitCode(List<String> args) {
        try {
            Workshop.run(CommandLine.parse(args));
            return 0;
        } catch (UsageError error) {
            System.err.println("usage: " + error.getMessage());
            return USAGE;
        } catch (CardError error) {
            System.err.println("error: " + error.describe());
            return FAILED;
        }
    }
}
