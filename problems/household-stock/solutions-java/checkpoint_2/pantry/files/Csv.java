package pantry.files;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lines of comma-separated values. */
public final class Csv {
    private static final Pattern SPECIAL = Pattern.compile("[\",\r\n]");

    private Csv() {}

    static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < line.length(); at++) {
            char next = line.charAt(at);
            if (quoted && line.startsWith("\"\"", at)) {
                cell.append('"');
                at++;
            } else if (next == '"' && (quoted || cell.isEmpty())) {
                quoted = !quoted;
            } else if (next == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(next);
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    /** Cells as a line, without the line's end. */
    public static String line(List<?> cells) {
        return cells.stream().map(cell -> quoted(cell.toString())).collect(Collectors.joining(","));
    }

    private static String quoted(String cell) {
        return SPECIAL.matcher(cell).find() ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }
}
