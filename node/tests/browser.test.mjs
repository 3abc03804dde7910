// The client in a browser, from the modules of the package as they are.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as codeslope from "codeslope";
import { serve } from "./server.mjs";
import { APP, folder, SLOPPY, TIDY } from "./samples.mjs";

const [BEFORE, AFTER] = [{ "app.py": TIDY }, { "app.py": SLOPPY }];
const PAGE = `<!doctype html><title>client</title><pre id="found"></pre><script type="module">
import { Client, ProblemError } from "/esm/http.js";
const url = location.origin;
const { scores } = await new Client(url, { token: "t" }).judgeChange(${JSON.stringify(BEFORE)}, ${JSON.stringify(AFTER)});
const error = await new Client(url).judge({}).catch((error) => error);
const found = { scores, problem: error instanceof ProblemError && error.help };
document.getElementById("found").textContent = JSON.stringify(found);
</script>`;

/** The modules of the package, by path. */
function modules() {
  const top = join(APP, "node_modules/codeslope/esm");
  const names = readdirSync(top, { recursive: true }).filter((name) => name.endsWith(".js"));
  return Object.fromEntries(names.map((name) => [`/esm/${name}`, ["text/javascript", readFileSync(join(top, name), "utf8")]]));
}

/** The page after its scripts. The process cannot wait for the browser, because it is also the server. */
function dumped(browser, url) {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder({})}`, "--virtual-time-budget=20000"];
  const child = spawn(browser, [...flags, "--dump-dom", url], { stdio: ["ignore", "pipe", "ignore"], timeout: 100_000 });
  let text = "";
  child.stdout.on("data", (part) => (text += part));
  return new Promise((resolve) => child.on("close", () => resolve(text)));
}

test("a page judges a change", { timeout: 120_000 }, async () => {
  const browser = process.env["TEST_BROWSER"];
  if (!browser) {
    console.log("\nskipped: chromium is missing");
    return;
  }
  const server = await serve("t", { ...modules(), "/": ["text/html", PAGE] });
  const text = await dumped(browser, server.url);
  server.close();
  const { scores } = codeslope.judgeChange(BEFORE, AFTER);
  assert.ok(text.includes(JSON.stringify({ scores, problem: "send one" })), text);
});
