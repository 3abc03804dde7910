/** Kind of a {@link SlopeError}. */
export type ErrorCode =
  | "invalid-argument"
  | "unreadable"
  | "invalid-policy"
  | "no-code"
  | "internal"
  | "unsupported-platform";

/** Why a function has no result. */
export class SlopeError extends Error {
  override readonly name: string = "SlopeError";
  readonly code: ErrorCode;
  /** The argument that causes it; empty if none does. */
  readonly field: string;
  /** What to do; empty if slope knows nothing. */
  readonly help: string;

  constructor(code: ErrorCode, field: string, message: string, help: string) {
    super(message);
    this.code = code;
    this.field = field;
    this.help = help;
  }
}

/** The error of the native part: its message is JSON. Other errors are left as they are. */
export function ofNative(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith("{")) {
    return error;
  }
  const { code, field, message, help } = JSON.parse(error.message);
  return new SlopeError(code, field, message, help);
}
