package pantry.files;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import json.Json;
import json.JsonException;
import pantry.Lot;
import pantry.Refusal;

/** One JSON object on each line. */
final class JsonlFormat implements LotFormat {
    @Override
    public Reader reader() {
        return line -> line.isBlank() ? Optional.empty() : Optional.of(fields(line));
    }

    @Override
    public String write(List<Lot> lots, String path) {
        return lots.stream().map(lot -> Json.write(lot.fields()) + "\n").collect(Collectors.joining());
    }

    private static Map<String, String> fields(String line) {
        Map<String, Object> members = object(line);
        Fields.check(members.keySet(), "key");
        Map<String, String> fields = new HashMap<>();
        members.forEach((key, value) -> {
            if (!(value instanceof String text)) {
                throw new Refusal("'%s' is not a text".formatted(key));
            }
            fields.put(key, text);
        });
        return fields;
    }

    private static Map<String, Object> object(String line) {
        try {
            return Json.parseObject(line);
        } catch (JsonException error) {
            throw new Refusal("not a JSON object");
        }
    }
}
