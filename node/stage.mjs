#!/usr/bin/env node
// Puts the packages together from what cargo and tsc built: `stage.mjs LIBRARY PROGRAM OUT`.
//
// OUT gets the folders `codeslope` and `@codeslope/PLATFORM`, each as `npm pack` wants it.
import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(HERE);
/** Machines that packages are made for. */
const PLATFORMS = ["linux-arm64-gnu", "linux-x64-gnu"];
/** Files next to the manifest. */
const LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"];

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Compiles the sources: all as CommonJS, and the client for browsers as modules, too. */
async function compile(out) {
  execFileSync(process.execPath, [join(HERE, "types.mjs")]);
  const tsc = join(HERE, "node_modules/.bin/tsc");
  execFileSync(tsc, ["-p", join(HERE, "tsconfig.json"), "--outDir", join(out, "cjs")], { stdio: "inherit" });
  execFileSync(tsc, ["-p", join(HERE, "tsconfig.esm.json"), "--outDir", join(out, "esm")], { stdio: "inherit" });
  await write(join(out, "esm/package.json"), json({ type: "module" }));
  // One copy of the native part and its errors serves both kinds of modules.
  for (const name of ["index", "promises"]) {
    for (const suffix of ["js", "d.ts"]) {
      await write(join(out, `esm/${name}.${suffix}`), `export * from "../cjs/${name}.js";\n`);
    }
  }
}

async function main(out, version) {
  // The tools and engines of development are no dependencies of the package.
  const { private: _, devDependencies: __, ...manifest } = JSON.parse(await readFile(join(HERE, "package.json"), "utf8"));
  await compile(out);
  const optionalDependencies = Object.fromEntries(PLATFORMS.map((platform) => [`@codeslope/${platform}`, version]));
  await write(join(out, "package.json"), json({ ...manifest, version, optionalDependencies }));
  await cp(join(HERE, "bin"), join(out, "bin"), { recursive: true });
  await cp(join(HERE, "README.md"), join(out, "README.md"));
}

async function platform(out, name, version, [library, program]) {
  const [os, cpu] = name.split("-");
  const manifest = {
    name: `@codeslope/${name}`,
    version,
    description: `codeslope for ${name}`,
    license: "MIT OR Apache-2.0",
    os: [os],
    cpu: [cpu],
    libc: ["glibc"],
    files: ["codeslope.node", "slope", ...LICENSES],
  };
  await write(join(out, "package.json"), json(manifest));
  await write(join(out, "README.md"), `# @codeslope/${name}\n\nThe native part of the package \`codeslope\`.\n`);
  await cp(library, join(out, "codeslope.node"));
  await cp(program, join(out, "slope"));
  // Symbols would be most of a debug build.
  execFileSync("strip", [join(out, "codeslope.node"), join(out, "slope")]);
  await chmod(join(out, "slope"), 0o755);
}

const [library, program, out] = process.argv.slice(2);
if (out === undefined) {
  process.stderr.write("error: expected LIBRARY PROGRAM OUT\nhelp: stage.mjs target/debug/libcodeslope.so target/debug/slope OUT\n");
  process.exit(2);
}
const cargo = await readFile(join(ROOT, "Cargo.toml"), "utf8");
const version = /^version = "(.*)"$/m.exec(cargo)[1];
const here = `${process.platform}-${process.arch}-gnu`;
const folders = { main: join(out, "codeslope"), platform: join(out, "@codeslope", here) };
for (const folder of Object.values(folders)) {
  await rm(folder, { recursive: true, force: true });
  for (const license of LICENSES) {
    await cp(join(ROOT, license), join(folder, license));
  }
}
await main(folders.main, version);
await platform(folders.platform, here, version, [library, program]);
