/** Details of a problem, as `application/problem+json` has them. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail?: string | undefined;
  help?: string | undefined;
}

/** Longest text of a server that is no problem document, in characters. */
const MAX_TEXT = 200;

/** An answer of a server that is not a result. */
export class ProblemError extends Error implements Problem {
  override readonly name: string = "ProblemError";
  /** Address that names the kind of problem; `about:blank` if the status says all. */
  readonly type: string;
  readonly title: string;
  /** Status of HTTP. */
  readonly status: number;
  readonly detail: string | undefined;
  /** What to do. */
  readonly help: string | undefined;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.type = problem.type;
    this.title = problem.title;
    this.status = problem.status;
    this.detail = problem.detail;
    this.help = problem.help;
  }
}

/** The error in an answer. An answer of something else, such as a proxy, is an error with its status and text. */
export async function problemOf(answer: Response): Promise<ProblemError> {
  const text = await answer.text();
  const found = object(text);
  const said = (key: string) => (typeof found[key] === "string" ? (found[key] as string) : undefined);
  const plain = found === NOTHING && text.trim() !== "" ? text.trim().slice(0, MAX_TEXT) : undefined;
  return new ProblemError({
    type: said("type") ?? "about:blank",
    title: said("title") ?? `HTTP ${answer.status}${answer.statusText && ` ${answer.statusText}`}`,
    status: answer.status,
    detail: said("detail") ?? plain,
    help: said("help"),
  });
}

const NOTHING: { readonly [key: string]: unknown } = {};

function object(text: string): { readonly [key: string]: unknown } {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? (found as { [key: string]: unknown }) : NOTHING;
  } catch {
    return NOTHING;
  }
}
