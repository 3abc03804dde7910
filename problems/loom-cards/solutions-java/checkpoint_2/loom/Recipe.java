package loom;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** What goes into a cloth: its threads, and its actions. */
record Recipe(List<Input> threads, List<List<String>> actions) {
    static void write(DataOutput out, Recipe recipe) throws IOException {
        Codec.writeList(out, recipe.threads, Input::write);
        Codec.writeList(out, recipe.actions, Codec::writeWords);
    }

    static Recipe read(DataInput in) throws IOException {
        return new Recipe(Codec.readList(in, Input::read), Codec.readList(in, Codec::readWords));
    }
}
