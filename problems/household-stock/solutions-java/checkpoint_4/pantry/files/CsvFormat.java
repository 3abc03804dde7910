package pantry.files;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import pantry.Lot;
import pantry.Refusal;

/** Comma-separated values; the first line names the columns. */
final class CsvFormat implements LotFormat {
    @Override
    public Reader reader() {
        return new CsvReader();
    }

    @Override
    public String write(List<Lot> lots, String path) {
        return Stream.concat(Stream.of(Fields.ALL), lots.stream().map(CsvFormat::cells))
            .map(cells -> Csv.line(cells) + "\n")
            .collect(Collectors.joining());
    }

    private static List<String> cells(Lot lot) {
        Map<String, String> fields = lot.fields();
        return Fields.ALL.stream().map(key -> fields.getOrDefault(key, "")).toList();
    }

    private static final class CsvReader implements Reader {
        private List<String> columns;

        @Override
        public Optional<Map<String, String>> fields(String line) {
            if (columns == null) {
                columns = line.isEmpty() ? List.of() : Csv.cells(line);
                Fields.check(columns, "column");
                return Optional.empty();
            }
            return line.isBlank() ? Optional.empty() : Optional.of(row(Csv.cells(line)));
        }

        private Map<String, String> row(List<String> cells) {
            if (cells.size() != columns.size()) {
                throw new Refusal("expected %d cells, got %d".formatted(columns.size(), cells.size()));
            }
            Map<String, String> row = new HashMap<>();
            for (int at = 0; at < cells.size(); at++) {
                String key = columns.get(at);
                if (!cells.get(at).isEmpty() || Fields.REQUIRED.contains(key)) {
                    row.put(key, cells.get(at));
                }
            }
            return row;
        }
    }
}
