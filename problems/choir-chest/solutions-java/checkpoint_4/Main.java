import chest.Chest;

/** The chest: keeps the sheets of a union of choirs in a folder. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        System.exit(Chest.run(args));
    }
}
