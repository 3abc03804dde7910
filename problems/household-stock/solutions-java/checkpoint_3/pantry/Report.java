package pantry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import json.Json;
import pantry.files.Csv;

/** Rows of a command, which can be printed in several formats. */
record Report(List<String> columns, List<Row> rows, String nothing) {
    static final List<String> FORMATS = List.of("text", "csv", "json");

    /** The cells of a row, and the row as text. */
    record Row(List<?> cells, String text) {}

    List<String> lines(Optional<String> format) {
        return switch (format.orElse("text")) {
            case "csv" -> csvLines();
            case "json" -> List.of(Json.write(rows.stream().map(this::object).toList()));
            default -> rows.isEmpty() ? List.of(nothing) : rows.stream().map(Row::text).toList();
        };
    }

    private List<String> csvLines() {
        return Stream.concat(Stream.of(columns), rows.stream().map(Row::cells)).map(Csv::line).toList();
    }

    private Map<String, Object> object(Row row) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int at = 0; at < columns.size(); at++) {
            object.put(columns.get(at), row.cells().get(at));
        }
        return object;
    }
}
