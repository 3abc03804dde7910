// Types of the installed package. `tsc` reads this file, and nothing runs it.
import { check, grade, judgeChange, measure, SlopeError, type Judgement, type Measurement } from "codeslope";
import * as promises from "codeslope/promises";
import { Client, ProblemError, type Point, type RunInfo } from "codeslope/http";

const measured: Measurement = measure({ "a.py": "x = 1\n" }, { policy: "cutoff = 4\n" });
export const erosion: number | null = measured.totals.erosion;
export const complexity: number = measured.files.flatMap((file) => file.callables).reduce((sum, one) => sum + one.complexity, 0);

const judgement: Judgement = check("old", new Map([["a.py", new Uint8Array()]]));
export const levels: ("warning" | "error")[] = judgement.violations.map((violation) => violation.level);

export const before: number | null | undefined = judgeChange("old", "new", { top: 3 }).before?.erosion;
export const one = grade("base", { id: "a", change: { kind: "diff", data: "" } }).reward;
export const many = grade("base", [{ id: "a", change: { kind: "diff", data: "" } }]).map((each) => each.status);

export async function later(client: Client): Promise<Point[]> {
  const same: Measurement = await promises.measure("src");
  const points: Point[] = [];
  for await (const point of client.points("shop", same.schema, { limit: 3 })) {
    points.push(point);
  }
  await client.push("shop", points);
  return points;
}

export async function pause(client: Client): Promise<("pause" | "resume" | "cancel" | null | undefined)[]> {
  const runs: RunInfo[] = await client.runs("shop", { limit: 3 });
  return Promise.all(runs.map(async (run) => (await client.askRun("shop", run.run, "pause")).request));
}

export function remedy(error: unknown): string | undefined {
  if (error instanceof SlopeError) {
    return error.code === "no-code" ? error.field : error.help;
  }
  return error instanceof ProblemError && error.status === 401 ? error.help : undefined;
}

// @ts-expect-error: code is a path or texts
measure(7);
// @ts-expect-error: there is no such option
measure("src", { polices: "" });
// @ts-expect-error: a change has a kind
grade("base", { id: "a", change: { data: "" } });
// @ts-expect-error: there is no such code
export const wrong = new SlopeError("nope", "", "", "");
// @ts-expect-error: a run cannot be asked that
void new Client("").askRun("shop", "r", "stop");
// @ts-expect-error: a client sends texts, not paths
void new Client("").measure("src");
