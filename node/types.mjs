// Writes the types of documents from `docs/schemas`: `types.mjs [OUT]`, by default `src/documents`.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript";

const HERE = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const NAMES = ["assessment", "grade", "grade-request", "judgement", "ledger", "measurement"];

/** A schema that has one type for each definition. */
function plain(schema) {
  return "$ref" in schema ? { $ref: schema.$ref } : schema;
}

const out = process.argv[2] ?? join(HERE, "src/documents");
await mkdir(out, { recursive: true });
for (const name of NAMES) {
  const schema = JSON.parse(await readFile(join(HERE, "../docs/schemas", `${name}.schema.json`), "utf8"), (key, value) =>
    value && typeof value === "object" && !Array.isArray(value) ? plain(value) : value,
  );
  const text = await compile(schema, schema.title, {
    additionalProperties: false,
    bannerComment: `/* Made by \`node/types.mjs\` from \`docs/schemas/${name}.schema.json\`. */`,
    style: { printWidth: 120 },
  });
  await writeFile(join(out, `${name}.ts`), text);
}
