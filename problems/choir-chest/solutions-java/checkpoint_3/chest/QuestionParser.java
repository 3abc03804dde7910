package chest;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recursive descent over the tokens of a question, which knows comparisons and nothing else. */
final class QuestionParser {
    private static final int MOST_CHARACTERS = 1000;
    private static final int MOST_OPEN = 20;
    private static final Pattern TOKEN = Pattern.compile(
            " *([a-z]+(?![a-z0-9])|[0-9]{1,9}(?![a-z0-9])|\"(?:[^\"\\\\]|\\\\[\"\\\\])*+\"|!=|[=<>~()])");

    private final List<String> tokens = new ArrayList<>();
    private int at;
    private int open;

    QuestionParser(String question) {
        require(question.codePoints().count() <= MOST_CHARACTERS);
        int end = question.length();
        while (end > 0 && question.charAt(end - 1) == ' ') {
            end--;
        }
        Matcher token = TOKEN.matcher(question).region(0, end);
        for (int start = 0; start < end; start = token.end()) {
            require(token.region(start, end).lookingAt());
            tokens.add(token.group(1));
        }
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new Refusal("bad question");
        }
    }

    Question whole() {
        Question question = any();
        require(at == tokens.size());
        return question;
    }

    private Question any() {
        List<Question> parts = separated("or", this::all);
        return (path, text) -> parts.stream().anyMatch(part -> part.holds(path, text));
    }

    private Question all() {
        List<Question> parts = separated("and", this::single);
        return (path, text) -> parts.stream().allMatch(part -> part.holds(path, text));
    }

    private List<Question> separated(String word, Supplier<Question> part) {
        List<Question> parts = new ArrayList<>(List.of(part.get()));
        while (took(word)) {
            parts.add(part.get());
        }
        return parts;
    }

    private Question single() {
        if (took("not")) {
            Question question = nested(this::single);
            return (path, text) -> !question.holds(path, text);
        }
        if (took("(")) {
            Question question = nested(this::any);
            require(took(")"));
            return question;
        }
        return comparison();
    }

    private Question nested(Supplier<Question> part) {
        open++;
        require(open <= MOST_OPEN);
        Question question = part.get();
        open--;
        return question;
    }

    private Question comparison() {
        BiFunction<String, String, Object> field = Question.FIELDS.get(next());
        String sign = next();
        BiPredicate<Object, Object> comparison = Question.COMPARISONS.get(sign);
        require(field != null && comparison != null);
        Object value = value(next());
        boolean isNumber = field.apply("", "") instanceof Long;
        require(isNumber == value instanceof Long && !(isNumber && sign.equals("~")));
        return (path, text) -> comparison.test(field.apply(path, text), value);
    }

    private static Object value(String token) {
        if (token.startsWith("\"")) {
            return token.substring(1, token.length() - 1).replaceAll("(?s)\\\\(.)", "$1");
        }
        require(token.matches("[0-9]+"));
        return Long.valueOf(token);
    }

    private String next() {
        require(at < tokens.size());
        return tokens.get(at++);
    }

    private boolean took(String token) {
        boolean isIt = at < tokens.size() && tokens.get(at).equals(token);
        at += isIt ? 1 : 0;
        return isIt;
    }
}
