import { existsSync } from "fs";
import { Choir, fail, read } from "./choir";
import { attendance, missing, pairs, parts } from "./reports";

const USAGE = "usage: attendance|parts|pairs FILE, missing FILE DATE";

const REPORTS: { [name: string]: (choir: Choir, date: string) => string[] } = { attendance, parts, missing, pairs };

function main([name, file, date]: string[]): void {
  if (file === undefined) {
    fail(2, USAGE);
  }
  if (!existsSync(file)) {
    fail(1, "no such file: " + file);
  }
  const report = Object.prototype.hasOwnProperty.call(REPORTS, name) ? REPORTS[name] : undefined;
  if (report === undefined || (report === missing && date === undefined)) {
    return fail(2, USAGE);
  }
  const lines = report(read(file), date);
  process.stdout.write(lines.map((line) => line + "\n").join(""));
}

main(process.argv.slice(2));
