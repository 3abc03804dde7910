/** A client of a slope server, for browsers and Node. */
import { pairs, type Files } from "./code.js";
import type { Assessment, Explanation, Grade, Judgement, Ledger, Measurement, Request } from "./documents.js";
import { SlopeError } from "./errors.js";
import type {
  Added,
  AddedDay,
  AlarmNote,
  ChangeDetails,
  ChangeInfo,
  ChangeKept,
  CheckpointExhibit,
  CheckpointPlace,
  Health,
  ListedAlarm,
  ListedWatch,
  MadeToken,
  NewAcknowledgement,
  PlacedStep,
  Point,
  Project,
  ProjectDetails,
  RunDetails,
  RunInfo,
  RunKept,
  RunRequest,
  Scope,
  SentChange,
  SentDetails,
  SentRun,
  SentSteps,
  SentWatch,
  SeriesInfo,
  Summary,
  Token,
  WatchDay,
  WatchDetails,
  WatchKept,
  WatchStatus,
} from "./documents/server.js";
import { Transport, type CallOptions, type ClientOptions, type PageOptions } from "./transport.js";

export type { Files } from "./code.js";
export type * from "./documents.js";
export { SlopeError, type ErrorCode } from "./errors.js";
export type {
  Added,
  AddedDay,
  AlarmNote,
  Author,
  ChangeDetails,
  ChangeInfo,
  ChangeKept,
  CheckpointExhibit,
  CheckpointPlace,
  Health,
  ListedAlarm,
  ListedWatch,
  MadeToken,
  NewAcknowledgement,
  PlacedStep,
  Point,
  Project,
  ProjectDetails,
  RunDetails,
  RunInfo,
  RunKept,
  RunRequest,
  SentChange,
  SentDetails,
  SentRun,
  SentSteps,
  SentWatch,
  SeriesInfo,
  Summary,
  Token,
  WatchDay,
  WatchDetails,
  WatchKept,
  WatchStatus,
} from "./documents/server.js";
export { ProblemError, type Problem } from "./problem.js";
export type { CallOptions, ClientOptions, PageOptions } from "./transport.js";

/** Options of a request about code. */
export interface CodeOptions extends CallOptions {
  /** Text of a `slope.toml`, which replaces the one among the files. */
  policy?: string;
}

/** Options of `changes`, `runs`, `watches` and `alarms`. */
export interface ListOptions extends CallOptions {
  /** Most entries. The server decides by default. */
  limit?: number;
}

/** Options of `addToken`. */
export interface TokenOptions extends CallOptions {
  /** Note on its use. */
  label?: string;
}

/** Something that happened in a project: a new point, or a run, change or watch that differs. */
export interface Event {
  kind: "point" | "run" | "change" | "watch";
  project: string;
  /** The series of a point. */
  series?: string;
  /** Key of the point, run or change, or name of the watch. */
  key: string;
}

/** Points in one request. The server takes no more. */
const MAX_POINTS = 500;

/** Measures, judges and tracks code on a server that `slope serve` started. */
export class Client {
  readonly url: string;
  readonly #server: Transport;

  constructor(url: string | URL, options: ClientOptions = {}) {
    this.url = String(url).replace(/\/+$/, "");
    this.#server = new Transport(this.url, options);
  }

  /** The state of the server. It needs no token. */
  health(options: CallOptions = {}): Promise<Health> {
    return this.#get("health", options);
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
  explain(id: string, { language, ...options }: CallOptions & { language?: string } = {}): Promise<Explanation[]> {
    return this.#server.send("GET", path`explain/${id}`, { ...options, query: { language } });
  }

  /** All projects that the token may read. */
  projects(options: CallOptions = {}): Promise<Project[]> {
    return this.#server.all("projects", options);
  }

  /** A project with its series. */
  project(name: string, options: CallOptions = {}): Promise<ProjectDetails> {
    return this.#get(path`projects/${name}`, options);
  }

  /** Adds a project. A name that is taken is a problem with status 409. */
  addProject(name: string, { title = "", ...options }: CallOptions & { title?: string } = {}): Promise<Project> {
    return this.#post("projects", { name, title }, options);
  }

  /** Removes a project with all that it has. */
  removeProject(name: string, options: CallOptions = {}): Promise<void> {
    return this.#remove(path`projects/${name}`, options);
  }

  /** The series of a project, by name. */
  async series(project: string, options: CallOptions = {}): Promise<SeriesInfo[]> {
    return (await this.project(project, options)).series;
  }

  /** The points of a series in their order. A page is read when its first point is needed. */
  points(project: string, series: string, options: PageOptions = {}): AsyncGenerator<Point, void, undefined> {
    return this.#server.list<Point>(path`projects/${project}/series/${series}/points`, options);
  }

  /** A point by its key, for example `iteration-3`. */
  point(project: string, series: string, key: string, options: CallOptions = {}): Promise<Point> {
    return this.#get(path`projects/${project}/series/${series}/points/${key}`, options);
  }

  /** Removes a point. The token needs the scope `admin`. */
  removePoint(project: string, series: string, key: string, options: CallOptions = {}): Promise<void> {
    return this.#remove(path`projects/${project}/series/${series}/points/${key}`, options);
  }

  /** Headline values of all points of a series, in their order. */
  summaries(project: string, series: string, options: CallOptions = {}): Promise<Summary[]> {
    return this.#server.all(path`projects/${project}/series/${series}/summaries`, options);
  }

  /**
   * Adds points to a project, and says what became of each, in their order. A point that is there stays: `same` if it is
   * equal, `conflict` if it has other numbers.
   */
  async push(project: string, points: readonly Point[], options: CallOptions = {}): Promise<Added[]> {
    const added: Added[] = [];
    for (let at = 0; at < points.length; at += MAX_POINTS) {
      const body = { points: points.slice(at, at + MAX_POINTS) };
      added.push(...(await this.#post<{ results: Added[] }>(path`projects/${project}/points`, body, options)).results);
    }
    return added;
  }

  /** Events of a project from the first step on, until the server ends. Leave the loop to end them. */
  events(project: string, options: CallOptions = {}): AsyncGenerator<Event, void, undefined> {
    return this.#server.events<Event>(path`projects/${project}/events`, options);
  }

  /** The changes of a project, the last judged first. */
  changes(project: string, options: ListOptions = {}): Promise<ChangeInfo[]> {
    return this.#first(path`projects/${project}/changes`, options);
  }

  /** A change by its key, for example `pr-12`, with its judgement. */
  change(project: string, key: string, options: CallOptions = {}): Promise<ChangeDetails> {
    return this.#get(path`projects/${project}/changes/${key}`, options);
  }

  /** Sends a change that the gate judged. It replaces the one with the same key. */
  putChange(project: string, key: string, change: SentChange, options: CallOptions = {}): Promise<ChangeKept> {
    return this.#put(path`projects/${project}/changes/${key}`, change, options);
  }

  /** Removes a change. The token needs the scope `admin`. */
  removeChange(project: string, key: string, options: CallOptions = {}): Promise<void> {
    return this.#remove(path`projects/${project}/changes/${key}`, options);
  }

  /** The runs of a project, the latest first. */
  runs(project: string, options: ListOptions = {}): Promise<RunInfo[]> {
    return this.#first(path`projects/${project}/runs`, options);
  }

  /** A run with its report. */
  run(project: string, key: string, options: CallOptions = {}): Promise<RunDetails> {
    return this.#get(path`projects/${project}/runs/${key}`, options);
  }

  /**
   * Sends a run with its report, which replaces the earlier one. The answer has the open request of a visitor, and the
   * checkpoints whose details the server has.
   */
  putRun(project: string, key: string, run: SentRun, options: CallOptions = {}): Promise<RunKept> {
    return this.#put(path`projects/${project}/runs/${key}`, run, options);
  }

  /** Removes a run with all its details. The token needs the scope `admin`. */
  removeRun(project: string, key: string, options: CallOptions = {}): Promise<void> {
    return this.#remove(path`projects/${project}/runs/${key}`, options);
  }

  /** Requests that a run pauses, resumes or cancels. It gets the request with its next report. */
  askRun(project: string, key: string, request: RunRequest, options: CallOptions = {}): Promise<RunInfo> {
    return this.#post(path`projects/${project}/runs/${key}/request`, { request }, options);
  }

  /** The specification, changes, tests and findings of a checkpoint. */
  runDetails(
    project: string,
    key: string,
    place: CheckpointPlace,
    options: CallOptions = {},
  ): Promise<CheckpointExhibit> {
    const query = { ...place };
    return this.#server.send("GET", path`projects/${project}/runs/${key}/details`, { ...options, query });
  }

  /** Sends the details of a checkpoint, after its steps. */
  putRunDetails(project: string, key: string, details: SentDetails, options: CallOptions = {}): Promise<void> {
    return this.#put(path`projects/${project}/runs/${key}/details`, details, options);
  }

  /** The agent's steps of a checkpoint. A page is read when its first step is needed. */
  runSteps(
    project: string,
    key: string,
    place: CheckpointPlace,
    options: PageOptions = {},
  ): AsyncGenerator<PlacedStep, void, undefined> {
    return this.#server.list<PlacedStep>(path`projects/${project}/runs/${key}/steps`, options, { ...place });
  }

  /** Sends steps of a checkpoint. A request with `first` 0 removes earlier steps and details. */
  putRunSteps(project: string, key: string, steps: SentSteps, options: CallOptions = {}): Promise<void> {
    return this.#put(path`projects/${project}/runs/${key}/steps`, steps, options);
  }

  /** The watches of a project by name, each with its state and open alarms. */
  watches(project: string, options: ListOptions = {}): Promise<ListedWatch[]> {
    return this.#first(path`projects/${project}/watches`, options);
  }

  /** A watch with what its monitors need. */
  watch(project: string, name: string, options: CallOptions = {}): Promise<WatchDetails> {
    return this.#get(path`projects/${project}/watches/${name}`, options);
  }

  /** Sends the settings of a watch. The answer has the days and notes that the server has. */
  putWatch(project: string, name: string, watch: SentWatch, options: CallOptions = {}): Promise<WatchKept> {
    return this.#put(path`projects/${project}/watches/${name}`, watch, options);
  }

  /** Removes a watch with its days and notes. The token needs the scope `admin`. */
  removeWatch(project: string, name: string, options: CallOptions = {}): Promise<void> {
    return this.#remove(path`projects/${project}/watches/${name}`, options);
  }

  /** The days of a watch in their order. A page is read when its first day is needed. */
  watchDays(project: string, name: string, options: PageOptions = {}): AsyncGenerator<WatchDay, void, undefined> {
    return this.#server.list<WatchDay>(path`projects/${project}/watches/${name}/days`, options);
  }

  /** The results of a day, for example `2026-11-30`. */
  watchDay(project: string, name: string, date: string, options: CallOptions = {}): Promise<WatchDay> {
    return this.#get(path`projects/${project}/watches/${name}/days/${date}`, options);
  }

  /**
   * Adds days, one request for each, and says what became of them, in their order. A day is written once: one that is
   * there with other results stays, and the outcome is `conflict`.
   */
  async addWatchDays(
    project: string,
    name: string,
    days: readonly WatchDay[],
    options: CallOptions = {},
  ): Promise<AddedDay[]> {
    const added: AddedDay[] = [];
    for (const day of days) {
      const to = path`projects/${project}/watches/${name}/days`;
      added.push(...(await this.#post<{ results: AddedDay[] }>(to, { days: [day] }, options)).results);
    }
    return added;
  }

  /** The state of a watch: series, alarms with what explains them, results by task. */
  watchStatus(project: string, name: string, options: CallOptions = {}): Promise<WatchStatus> {
    return this.#get(path`projects/${project}/watches/${name}/status`, options);
  }

  /** The alarms of all watches of a project: open ones first, then the newest. */
  alarms(project: string, options: ListOptions = {}): Promise<ListedAlarm[]> {
    return this.#first(path`projects/${project}/alarms`, options);
  }

  /** Notes that somebody knows of an alarm, until a day. It stays open, and is shown as acknowledged. */
  acknowledgeAlarm(
    project: string,
    name: string,
    alarm: string,
    note: NewAcknowledgement,
    options: CallOptions = {},
  ): Promise<AlarmNote> {
    return this.#put(path`projects/${project}/watches/${name}/alarms/${alarm}/acknowledgement`, note, options);
  }

  /** Takes back that somebody knows of an alarm. */
  takeBackAcknowledgement(project: string, name: string, alarm: string, options: CallOptions = {}): Promise<void> {
    return this.#remove(path`projects/${project}/watches/${name}/alarms/${alarm}/acknowledgement`, options);
  }

  /** The tokens of a project, without their secrets. */
  tokens(project: string, options: CallOptions = {}): Promise<Token[]> {
    return this.#server.all(path`projects/${project}/tokens`, options);
  }

  /** Makes a token. The server does not keep its secret, so the request is not repeated. */
  addToken(project: string, scope: Scope, { label = "", ...options }: TokenOptions = {}): Promise<MadeToken> {
    const message = { ...options, body: { scope, label }, isOnce: true };
    return this.#server.send("POST", path`projects/${project}/tokens`, message);
  }

  /** Revokes a token. */
  revokeToken(project: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.#remove(path`projects/${project}/tokens/${id}`, options);
  }

  #ofCode<T>(path: string, code: object, { policy, ...options }: CodeOptions): Promise<T> {
    return this.#post(path, policy === undefined ? code : { ...code, policy }, options);
  }

  /** The only page of a list. */
  async #first<T>(path: string, { limit, ...options }: ListOptions): Promise<T[]> {
    return (await this.#server.send<{ items: T[] }>("GET", path, { ...options, query: { limit } })).items;
  }

  #get<T>(path: string, options: CallOptions): Promise<T> {
    return this.#server.send("GET", path, options);
  }

  #post<T>(path: string, body: unknown, options: CallOptions): Promise<T> {
    return this.#server.send("POST", path, { ...options, body });
  }

  #put<T>(path: string, body: unknown, options: CallOptions): Promise<T> {
    return this.#server.send("PUT", path, { ...options, body });
  }

  #remove(path: string, options: CallOptions): Promise<void> {
    return this.#server.send("DELETE", path, options);
  }
}

/** A path with names as its parts. The server would see an empty name, `.` and `..` as another path. */
function path(texts: TemplateStringsArray, ...names: string[]): string {
  const wrong = names.find((name) => ["", ".", ".."].includes(name));
  if (wrong !== undefined) {
    throw new SlopeError("invalid-argument", "name", `"${wrong}" is not a name`, "name a project, series, point and so on");
  }
  return String.raw({ raw: texts }, ...names.map(encodeURIComponent));
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
