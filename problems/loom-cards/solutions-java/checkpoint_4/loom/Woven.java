package loom;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** What is remembered of a cloth: what went into it, what was found, and the digest of what came out. */
record Woven(String path, Recipe recipe, List<Input> found, String output) {
    static void write(DataOutput out, Woven woven) throws IOException {
        out.writeUTF(woven.path);
        Recipe.write(out, woven.recipe);
        Codec.writeList(out, woven.found, Input::write);
        out.writeUTF(woven.output);
    }

    static Woven read(DataInput in) throws IOException {
        return new Woven(in.readUTF(), Recipe.read(in), Codec.readList(in, Input::read), in.readUTF());
    }

    /** All that the content depends on: first the threads, then what was found. */
    Stream<Input> inputs() {
        return Stream.concat(recipe.threads().stream(), found.stream());
    }
}
