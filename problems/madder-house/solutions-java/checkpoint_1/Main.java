import dyer.Server;
import dyer.StoreRoom;
import java.io.IOException;

/** The dyer: manages the store room and the vats of a dye works, over HTTP. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2 || !args[0].equals("--port")) {
            System.err.println("usage: dyer --port N");
            System.exit(2);
        }
        Server.start(Integer.parseInt(args[1]), new StoreRoom());
    }
}
