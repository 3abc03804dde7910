import { join, dirname } from "node:path";
import { SlopeError } from "./errors.js";

/** Folder of the package with the native part and the command for this machine. */
function folder(): string {
  const name = `@codeslope/${process.platform}-${process.arch}-gnu`;
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    throw new SlopeError(
      "unsupported-platform",
      "",
      `the package ${name} is not installed`,
      "install codeslope on Linux with glibc, without --omit=optional; elsewhere, use codeslope/http with a server",
    );
  }
}

/** Path of the native part. */
export function library(): string {
  return join(folder(), "codeslope.node");
}

/** Path of the `slope` command. */
export function program(): string {
  return join(folder(), "slope");
}
