package loom;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Lists as contents of files. */
final class Codec {
    private Codec() {}

    interface Writer<T> {
        void write(DataOutput out, T item) throws IOException;
    }

    interface Reader<T> {
        T read(DataInput in) throws IOException;
    }

    static <T> String encode(Collection<T> items, Writer<T> writer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writeList(new DataOutputStream(bytes), items, writer);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    static <T> List<T> decode(String content, Reader<T> reader) {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        try {
            return readList(new DataInputStream(new ByteArrayInputStream(bytes)), reader);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    static <T> void writeList(DataOutput out, Collection<T> items, Writer<T> writer) throws IOException {
        out.writeInt(items.size());
        for (T item : items) {
            writer.write(out, item);
        }
    }

    static <T> List<T> readList(DataInput in, Reader<T> reader) throws IOException {
        int size = in.readInt();
        List<T> items = new ArrayList<>(size);
        for (int at = 0; at < size; at++) {
            items.add(reader.read(in));
        }
        return items;
    }

    static void writeWords(DataOutput out, List<String> words) throws IOException {
        writeList(out, words, DataOutput::writeUTF);
    }

    static List<String> readWords(DataInput in) throws IOException {
        return readList(in, DataInput::readUTF);
    }
}
