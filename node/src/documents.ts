/** Documents, as `docs/schemas` describes them. */
export type { Assessment, Issue, Scores } from "./documents/assessment.js";
export type { Grade } from "./documents/grade.js";
export type { Request } from "./documents/grade-request.js";
export type { Judgement, Violation } from "./documents/judgement.js";
export type { Ledger, LedgerEntry } from "./documents/ledger.js";
export type { Callable, FileMeasurement, Finding, Measurement, Totals } from "./documents/measurement.js";

/** What a rule, signal or metric means. Rules of the gate have `keys`: their settings in `[check]` of `slope.toml`. */
export interface Explanation {
  id: string;
  message?: string;
  [field: string]: unknown;
}
