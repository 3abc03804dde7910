import { fail, readRows } from "./rows";
import { clashes, fees, free, kinds } from "./reports";

function main([command, path, date, count]: string[]): void {
  if (command === undefined) {
    fail(2, "no command given");
  }
  if (!["fees", "clashes", "kinds", "free"].includes(command)) {
    fail(2, "unknown command " + command);
  }
  const rows = readRows(path);
  switch (command) {
    case "fees":
      return print(fees(rows));
    case "clashes":
      return print(clashes(rows));
    case "kinds":
      return print(kinds(rows));
    default:
      return print(free(rows, date, count));
  }
}

function print(lines: string[]): void {
  process.stdout.write(lines.map((line) => line + "\n").join(""));
}

main(process.argv.slice(2));
