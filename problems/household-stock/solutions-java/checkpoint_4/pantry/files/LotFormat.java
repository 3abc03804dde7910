package pantry.files;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import pantry.Lot;

/** A file format for lots. */
interface LotFormat {
    /** Reads a file line by line; returns the fields of a lot, or nothing for a line without one. */
    @FunctionalInterface
    interface Reader {
        Optional<Map<String, String>> fields(String line);
    }

    /** A reader for one file. */
    Reader reader();

    /** The content of the file with this path. */
    String write(List<Lot> lots, String path);
}
