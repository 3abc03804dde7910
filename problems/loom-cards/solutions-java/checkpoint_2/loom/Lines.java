package loom;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Lines of texts. */
final class Lines {
    private Lines() {}

    /** The lines without their line feeds. */
    static List<String> of(String text) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        int last = lines.size() - 1;
        if (lines.get(last).isEmpty()) {
            lines.remove(last);
        }
        return lines;
    }

    /** A text in which each line ends with a line feed. */
    static String join(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }
}
