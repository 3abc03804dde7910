package loom;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What is remembered of a cloth: what went into it, and the digest of what came out. */
record Woven(String path, Recipe recipe, String output) {
    static void write(DataOutput out, Woven woven) throws IOException {
        out.writeUTF(woven.path);
        Recipe.write(out, woven.recipe);
        out.writeUTF(woven.output);
    }

    static Woven read(DataInput in) throws IOException {
        return new Woven(in.readUTF(), Recipe.read(in), in.readUTF());
    }
}
