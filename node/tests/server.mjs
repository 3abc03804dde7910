// A server of the API, with answers that tests choose.
import { createServer } from "node:http";
import * as codeslope from "codeslope";

const POINTS = Array.from({ length: 5 }, (_, at) => ({ time: `t${at}` }));

const CALLS = {
  measure: ({ files, ...options }) => codeslope.measure(files, options),
  judge: ({ files, ...options }) => codeslope.judge(files, options),
  diff: ({ before, after, ...options }) => codeslope.diff(before, after, options),
  check: ({ before, after, ...options }) => codeslope.check(before, after, options),
  "judge-change": ({ before, after, ...options }) => codeslope.judgeChange(before, after, options),
  grade: ({ files, request }) => codeslope.grade(files, request),
};

/** Starts a server that wants a token. `files` are texts by path, for browsers: each with its kind. */
export async function serve(token, files = {}) {
  const state = { addresses: [], keys: [], pushed: [], next: [] };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const file = files[request.url];
    const [status, kind, body, headers] = file ? [200, ...file] : answer(state, token, request, text);
    response.writeHead(status, { "Content-Type": kind, ...headers }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    get addresses() { return state.addresses; },
    get keys() { return state.keys; },
    get pushed() { return state.pushed; },
    reset: () => Object.assign(state, { addresses: [], keys: [], pushed: [], next: [] }),
    answer: (...next) => state.next.push(next),
    busy: (count, seconds = 0) => {
      const body = JSON.stringify({ title: "Busy", help: "wait" });
      const next = [429, "application/problem+json", body, { "Retry-After": seconds }];
      state.next.push(...Array.from({ length: count }, () => next));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(state, token, request, text) {
  state.addresses.push(request.url);
  if (request.method === "POST") {
    state.keys.push(request.headers["idempotency-key"]);
  }
  if (request.headers.authorization !== `Bearer ${token}`) {
    return problem({ type: "/problems/token", title: "Unauthorized", status: 401, detail: "the token is missing", help: "send one" });
  }
  return state.next.shift() ?? [200, "application/json", JSON.stringify(result(state, request, text))];
}

function problem(details) {
  return [details.status, "application/problem+json", JSON.stringify(details)];
}

function result(state, request, text) {
  const url = new URL(request.url, "http://localhost");
  const path = url.pathname.replace("/api/v1/", "");
  if (request.method === "GET") {
    return listed(path, url.searchParams);
  }
  const body = JSON.parse(text);
  if (path === "projects/shop/points") {
    state.pushed.push(body.points);
    return { results: body.points.map(({ series }) => ({ series, key: "k", outcome: "stored" })) };
  }
  return CALLS[path](body);
}

function listed(path, query) {
  if (path.startsWith("explain/")) {
    return codeslope.explain(path.slice("explain/".length));
  }
  if (path === "projects") {
    const [name, next] = query.has("cursor") ? ["tool", null] : ["shop", "x"];
    return { items: [{ name }], next };
  }
  const start = Number(query.get("cursor") ?? 0);
  const end = start + Number(query.get("limit"));
  return { items: POINTS.slice(start, end), next: end < POINTS.length ? String(end) : null };
}
