import type { Scores } from "./documents/assessment.js";
import type { Totals } from "./documents/measurement.js";

/** Scores of one judge. */
export interface JudgeScores {
  judge: "static" | "model";
  model?: string;
  rubric?: string;
  scores: Scores;
  missing?: { [score: string]: string };
}

/** A measured snapshot in a series of a project. */
export interface Point {
  /** `slope.point/1`. */
  schema: string;
  /** Name of the series, for example `main` or the name of an assistant. */
  series: string;
  /** Time of the code, RFC 3339 in UTC. */
  time: string;
  iteration?: number;
  commit?: { id: string; subject?: string; branch?: string };
  author?: { person?: string; agent?: string; agent_version?: string; model?: string; session?: string };
  origin: "folder" | "commit" | "hook" | "ci" | "run";
  tree: string;
  engine: string;
  /** Points with the same hash are comparable. */
  definitions: string;
  totals: Totals;
  scores?: JudgeScores[];
  note?: string;
  [field: string]: unknown;
}

/** A project of a server. */
export interface Project {
  name: string;
  [field: string]: unknown;
}

/** A part of a list, and the cursor of the next part. */
export interface Page<T> {
  items: T[];
  next: string | null;
}
