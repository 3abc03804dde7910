type Level = "info" | "warn";

function write(level: Level, message: string): void {
  process.stderr.write(`${level} ${message}\n`);
}

/** The logger that all modules share. */
export const logger = {
  info: (message: string): void => write("info", message),
  warn: (message: string): void => write("warn", message),
};
