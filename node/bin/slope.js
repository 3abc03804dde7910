#!/usr/bin/env node
// The `slope` command of this machine's package.
"use strict";

const { spawn } = require("node:child_process");
const { program } = require("../cjs/platform.js");

/** Starts the command in place of this process, as far as Node can. */
function run(path) {
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal sends SIGINT to both, and slope takes a second one as an order to stop at once.
    process.on(signal, () => (signal !== "SIGINT" || !process.stdin.isTTY) && child.kill(signal));
  }
  child.on("error", (error) => fail(`could not start ${path}: ${error.message}`, ""));
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(message, help) {
  process.stderr.write(`error: ${message}\n${help && `help: ${help}\n`}`);
  process.exitCode = 3;
}

try {
  run(program());
} catch (error) {
  fail(error.message, error.help ?? "");
}
