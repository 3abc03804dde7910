/** A client of a slope server, for browsers and Node. */
import { pairs, type Files } from "./code.js";
import type { Assessment, Explanation, Grade, Judgement, Ledger, Measurement, Request } from "./documents.js";
import { SlopeError } from "./errors.js";
import type { Added, Point, Project } from "./documents/server.js";
import { problemOf } from "./problem.js";

export type { Files } from "./code.js";
export type * from "./documents.js";
export { SlopeError, type ErrorCode } from "./errors.js";
export type { Added, Author, Point, Project } from "./documents/server.js";
export { ProblemError, type Problem } from "./problem.js";

/** Options of a {@link Client}. */
export interface ClientOptions {
  /** Token of the server. A server on this machine needs none. */
  token?: string;
  /** Further tries if the server is busy (429, 503). 2 by default. */
  retries?: number;
  /** What sends requests. `fetch` by default. */
  fetch?: typeof fetch;
}

/** Options of one request. */
export interface CallOptions {
  /** Ends the request. */
  signal?: AbortSignal;
}

/** Options of a request about code. */
export interface CodeOptions extends CallOptions {
  /** Text of a `slope.toml`, which replaces the one among the files. */
  policy?: string;
}

/** Options of `points`. */
export interface PointsOptions extends CallOptions {
  /** Points in each request. The server decides by default. */
  limit?: number;
  /** Cursor of the first point. */
  cursor?: string;
}

/** Longest time to wait before another try, in milliseconds. */
const MAX_WAIT = 30_000;
/** Points in one request. The server takes no more. */
const MAX_POINTS = 500;
/** Statuses of a server that takes the same request later. */
const BUSY = [429, 503];

/** A part of a list, and the cursor of the next part. */
interface Page<T> {
  items: T[];
  next: string | null;
}

interface Message extends CallOptions {
  body?: unknown;
  query?: { [name: string]: string | number | undefined };
}

/** Measures, judges and tracks code on a server that `slope serve` started. */
export class Client {
  readonly url: string;
  readonly #token: string | undefined;
  readonly #retries: number;
  readonly #fetch: typeof fetch;

  constructor(url: string | URL, options: ClientOptions = {}) {
    this.url = String(url).replace(/\/+$/, "");
    this.#token = options.token;
    this.#retries = options.retries ?? 2;
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
  }

  /** The measurement of texts by path. */
  measure(files: Files, options: CodeOptions = {}): Promise<Measurement> {
    return this.#ofCode("measure", { files: texts(files, "files") }, options);
  }

  /** The ledger of a change. */
  diff(before: Files, after: Files, options: CodeOptions = {}): Promise<Ledger> {
    return this.#ofCode("diff", sides(before, after), options);
  }

  /** The judgement of the gate on a change. */
  check(before: Files, after: Files, options: CodeOptions = {}): Promise<Judgement> {
    return this.#ofCode("check", sides(before, after), options);
  }

  /** Scores from 0 to 10, where 10 is best, and issues. */
  judge(files: Files, options: CodeOptions = {}): Promise<Assessment> {
    return this.#ofCode("judge", { files: texts(files, "files") }, options);
  }

  /** The scores after a change, those before it in `before`, and the issues that the change adds. */
  judgeChange(before: Files, after: Files, options: CodeOptions = {}): Promise<Assessment> {
    return this.#ofCode("judge-change", sides(before, after), options);
  }

  /** The reward for an edit of texts by path. */
  grade(base: Files, request: Request, options: CallOptions = {}): Promise<Grade> {
    return this.#post("grade", { files: texts(base, "base"), request }, options);
  }

  /** What a rule, signal or metric means. */
  explain(id: string, options: CallOptions & { language?: string } = {}): Promise<Explanation[]> {
    const { signal, language } = options;
    return this.#send("GET", `explain/${encodeURIComponent(id)}`, { ...only({ signal }), query: { language } });
  }

  /** All projects that the token may read. */
  async projects(options: CallOptions = {}): Promise<Project[]> {
    const all: Project[] = [];
    for await (const project of this.#list<Project>("projects", options)) {
      all.push(project);
    }
    return all;
  }

  /** The points of a series in their order. A page is read when its first point is needed. */
  points(project: string, series: string, options: PointsOptions = {}): AsyncGenerator<Point, void, undefined> {
    const path = `projects/${encodeURIComponent(project)}/series/${encodeURIComponent(series)}/points`;
    return this.#list<Point>(path, options);
  }

  /**
   * Adds points to a project, and says what became of each, in their order. A point that is there stays: `same` if it is
   * equal, `conflict` if it has other numbers.
   */
  async push(project: string, points: readonly Point[], options: CallOptions = {}): Promise<Added[]> {
    const added: Added[] = [];
    for (let at = 0; at < points.length; at += MAX_POINTS) {
      const body = { points: points.slice(at, at + MAX_POINTS) };
      const path = `projects/${encodeURIComponent(project)}/points`;
      added.push(...(await this.#post<{ results: Added[] }>(path, body, options)).results);
    }
    return added;
  }

  async *#list<T>(path: string, options: PointsOptions): AsyncGenerator<T, void, undefined> {
    const { signal, limit } = options;
    let cursor: string | null | undefined = options.cursor;
    do {
      const page: Page<T> = await this.#send("GET", path, { ...only({ signal }), query: { limit, cursor } });
      yield* page.items;
      cursor = page.next;
    } while (cursor !== null && cursor !== undefined);
  }

  #ofCode<T>(path: string, code: object, { policy, ...options }: CodeOptions): Promise<T> {
    return this.#post(path, policy === undefined ? code : { ...code, policy }, options);
  }

  #post<T>(path: string, body: unknown, options: CallOptions): Promise<T> {
    return this.#send("POST", path, { ...options, body });
  }

  async #send<T>(method: string, path: string, message: Message): Promise<T> {
    const address = `${this.url}/api/v1/${path}${search(message.query)}`;
    const headers: Record<string, string> = { Accept: "application/json" };
    if (this.#token !== undefined) {
      headers["Authorization"] = `Bearer ${this.#token}`;
    }
    const request: RequestInit = { method, headers, ...only({ signal: message.signal }) };
    if (message.body !== undefined) {
      headers["Content-Type"] = "application/json";
      headers["Idempotency-Key"] = key();
      request.body = JSON.stringify(message.body);
    }
    for (let tries = 0; ; tries++) {
      const answer = await this.#fetch(address, request);
      if (answer.ok) {
        return (await answer.json()) as T;
      }
      if (!BUSY.includes(answer.status) || tries >= this.#retries) {
        throw await problemOf(answer);
      }
      await answer.body?.cancel();
      await pause(waitOf(answer, tries), message.signal);
    }
  }
}

/** Options that are set. */
function only(options: { signal: AbortSignal | undefined }): { signal?: AbortSignal } {
  return options.signal === undefined ? {} : { signal: options.signal };
}

function search(query: Message["query"]): string {
  const set = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** Milliseconds to wait after a busy answer. */
function waitOf(answer: Response, tries: number): number {
  const seconds = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  const wait = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 200 * 2 ** tries;
  return Math.min(wait, MAX_WAIT);
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) {
      end();
    }
  });
}

/** A key by which a server knows a request that it gets twice. */
function key(): string {
  const bytes = new Uint8Array(16);
  if (globalThis.crypto) {
    globalThis.crypto.getRandomValues(bytes);
  } else {
    // Node 18 has no `crypto` here. The key need not be secret.
    bytes.forEach((_, at) => (bytes[at] = Math.floor(Math.random() * 256)));
  }
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sides(before: Files, after: Files): { before: object; after: object } {
  return { before: texts(before, "before"), after: texts(after, "after") };
}

/** Texts by path, for JSON. */
function texts(files: Files, field: string): { [path: string]: string } {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const text = (path: string, text: string | Uint8Array) => {
    try {
      return typeof text === "string" ? text : decoder.decode(text);
    } catch {
      throw new SlopeError("invalid-argument", field, `${path} is not text in UTF-8`, "leave it out");
    }
  };
  return Object.fromEntries(pairs(files, field).map(([path, bytes]) => [path, text(path, bytes)]));
}
