package dyer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import json.Json;
import json.JsonException;

/** HTTP around the house. Each request has a thread of its own while it is open. */
public final class Server {
    private Server() {}

    public static void start(int port, House house) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 128);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> send(exchange, answer(house, exchange)));
        server.start();
    }

    private static Reply answer(House house, HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getRawPath();
        try {
            Route route = Routes.ALL.stream()
                    .filter(one -> one.matches(exchange.getRequestMethod(), path))
                    .findFirst()
                    .orElseThrow(() -> new Refusal(404, "unknown-path"));
            String[] parts = path.split("/", -1);
            String id = parts.length > 2 ? parts[2] : "";
            Fields parameters = new Fields(parameters(exchange.getRequestURI().getRawQuery()));
            Fields fields = new Fields(route.hasBody() ? parse(body) : new HashMap<>());
            return route.handler().handle(house, new Call(id, fields, parameters));
        } catch (Refusal refusal) {
            return new Reply(refusal.status, refusal.body);
        }
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String part : query == null ? new String[0] : query.split("&")) {
            String[] pair = part.split("=", 2);
            String value = pair.length < 2 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8);
            parameters.put(URLDecoder.decode(pair[0], StandardCharsets.UTF_8), value);
        }
        return parameters;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> parse(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
            if (Json.parse(text) instanceof Map<?, ?> members) {
                return (Map<String, Object>) members;
            }
        } catch (CharacterCodingException | JsonException | StackOverflowError error) {
            // It is refused below.
        }
        throw new Refusal(400, "not-json");
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        byte[] payload = Json.write(reply.body()).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.status(), payload.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(payload);
        }
    }
}
