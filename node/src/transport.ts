/** Requests to a server, with tries, pages and streams. */
import { problemOf } from "./problem.js";

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

/** Options of a list that is read in pages. */
export interface PageOptions extends CallOptions {
  /** Items in each request. The server decides by default. */
  limit?: number;
  /** Cursor of the first item. */
  cursor?: string;
}

/** Longest time to wait before another try, in milliseconds. */
const MAX_WAIT = 30_000;
/** Statuses of a server that takes the same request later. */
const BUSY = [429, 503];
/** Most characters of an event. */
const MAX_EVENT = 1 << 20;

/** A part of a list, and the cursor of the next part. */
interface Page<T> {
  items: T[];
  next?: string | null;
}

type Query = { [name: string]: string | number | undefined };

interface Message extends CallOptions {
  body?: unknown;
  query?: Query;
  /** A request without a key is not answered again by the server. */
  isOnce?: boolean;
}

/** Sends requests to a server. */
export class Transport {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #retries: number;
  readonly #fetch: typeof fetch;

  constructor(url: string, options: ClientOptions) {
    this.#url = url;
    this.#token = options.token;
    this.#retries = options.retries ?? 2;
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
  }

  /** The items of all pages. A page is read when its first item is needed. */
  async *list<T>(path: string, options: PageOptions, query: Query = {}): AsyncGenerator<T, void, undefined> {
    const { signal, limit } = options;
    let cursor: string | null | undefined = options.cursor;
    do {
      const message: Message = { ...only({ signal }), query: { ...query, limit, cursor } };
      const page: Page<T> = await this.send("GET", path, message);
      yield* page.items;
      cursor = page.next;
    } while (cursor !== null && cursor !== undefined);
  }

  /** The items of all pages at once. */
  async all<T>(path: string, options: PageOptions): Promise<T[]> {
    const all: T[] = [];
    for await (const item of this.list<T>(path, options)) {
      all.push(item);
    }
    return all;
  }

  /** The result of a request; undefined if the answer has no body. */
  async send<T>(method: string, path: string, message: Message): Promise<T> {
    const answer = await this.#answer(method, path, message, "application/json");
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  /** The events of a stream until it ends. */
  async *events<T>(path: string, options: CallOptions): AsyncGenerator<T, void, undefined> {
    const answer = await this.#answer("GET", path, options, "text/event-stream");
    const reader = answer.body!.getReader();
    const decoder = new TextDecoder();
    let text = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          return;
        }
        const parts = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
        text = parts.pop()!;
        if (text.length > MAX_EVENT) {
          throw new Error("the server sent an event that is too long");
        }
        yield* parts.flatMap(dataOf<T>);
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  async #answer(method: string, path: string, message: Message, accepted: string): Promise<Response> {
    const address = `${this.#url}/api/v1/${path}${search(message.query)}`;
    const request: RequestInit = { method, headers: this.#headers(method, message, accepted), ...only(message) };
    if (message.body !== undefined) {
      request.body = JSON.stringify(message.body);
    }
    for (let tries = 0; ; tries++) {
      const answer = await this.#fetch(address, request);
      if (answer.ok) {
        return answer;
      }
      if (!BUSY.includes(answer.status) || tries >= this.#retries) {
        throw await problemOf(answer);
      }
      await answer.body?.cancel();
      await pause(waitOf(answer, tries), message.signal);
    }
  }

  #headers(method: string, { body, isOnce }: Message, accepted: string): Record<string, string> {
    const headers: Record<string, string> = { Accept: accepted };
    if (this.#token !== undefined) {
      headers["Authorization"] = `Bearer ${this.#token}`;
    }
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
    }
    if (method !== "GET" && !isOnce) {
      headers["Idempotency-Key"] = key();
    }
    return headers;
  }
}

/** The documents in a block of a stream: none for a comment. */
function dataOf<T>(block: string): T[] {
  const lines = block.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  const text = lines.map((line) => line.slice(line.startsWith("data: ") ? 6 : 5)).join("\n");
  return text === "" ? [] : [JSON.parse(text) as T];
}

/** Options that are set. */
function only({ signal }: { signal?: AbortSignal | undefined }): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
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
