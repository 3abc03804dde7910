package shop;

import java.util.ArrayList;
import java.util.List;

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
}
