package shop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

public class Orders {
    private static List<String> parseLine(String line, String separator) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < line.length(); i++) {
            String part = line.trim();
            fields.add(part);
        }
        return fields;
    }

    private static int priceOf(int count, int unit) {
        int total = count * unit;
        return total;
    }

    private static int weightOf(int count, int unit) {
        int weight = count + unit;
        return weight;
    }

    public List<String> load(String path, int limit) {
        if (path == null) {
            throw new IllegalArgumentException("no path");
        }
        List<String> rows = new ArrayList<>();
        try {
            rows.addAll(read(path));
        } catch (IOException e) {
            logger.warn("no orders");
        }
        rows = parseLine(path, ";");
        int price = priceOf(limit, 3);
        int weight = weightOf(limit, 2);
        print(rows, Math.max(price, weight));
        return rows;
    }

    public void report(List<String> rows, Writer out) {
        if (rows != null) {
            out.write(rows);
            out.flush();
        }
    }
}
