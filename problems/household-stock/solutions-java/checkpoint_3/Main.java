import java.util.Arrays;
import java.util.List;
import pantry.Command;
import pantry.Commands;
import pantry.Options;
import pantry.Refusal;
import pantry.Stock;
import pantry.Store;
import pantry.UsageError;

/** Keeps track of what is in a pantry. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(exitCode(args));
    }

    private static int exitCode(String[] args) {
        try {
            run(args).forEach(System.out::println);
            return 0;
        } catch (UsageError error) {
            System.err.println("usage: " + error.getMessage());
            return 2;
        } catch (Refusal refusal) {
            System.err.println("error: " + refusal.getMessage());
            return 1;
        }
    }

    private static List<String> run(String[] args) {
        if (args.length == 0) {
            throw new UsageError("missing command");
        }
        Command command = Commands.named(args[0]);
        Options options = command.syntax().parse(Arrays.asList(args).subList(1, args.length));
        Stock stock = Store.load();
        List<String> lines = command.action().run(stock, options);
        Store.save(stock);
        return lines;
    }
}
