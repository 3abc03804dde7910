package loom;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A path and the digest of its content. */
record Input(String path, String digest) {
    static void write(DataOutput out, Input input) throws IOException {
        out.writeUTF(input.path);
        out.writeUTF(input.digest);
    }

    static Input read(DataInput in) throws IOException {
        return new Input(in.readUTF(), in.readUTF());
    }
}
