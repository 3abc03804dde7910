package dyer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

    public static void start(int port, StoreRoom house) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 128);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> send(exchange, answer(house, exchange)));
        server.start();
    }

    private static Reply answer(StoreRoom house, HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getRawPath();
        try {
            Route route = Routes.ALL.stream()
                    .filter(one -> one.matches(exchange.getRequestMethod(), path))
                    .findFirst()
                    .orElseThrow(() -> new Refusal(404, "unknown-path"));
            String[] parts = path.split("/", -1);
            String id = parts.length > 2 ? parts[2] : "";
            Fields parameters = new Fields(new HashMap<>());
            Fields fields = new Fields(route.hasBody() ? parse(body) : new HashMap<>());
            return route.handler().handle(house, new Call(id, fields, parameters));
        } catch (Refusal refusal) {
            return new Reply(refusal.status, refusal.body);
        }
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
