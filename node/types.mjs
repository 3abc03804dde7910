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

/** Reads JSON with one type for each definition. */
async function read(path) {
  const text = await readFile(join(HERE, "../docs/schemas", path), "utf8");
  const each = (_, value) => (value && typeof value === "object" && !Array.isArray(value) ? plain(value) : value);
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/"), each);
}

/** Types that only the server has. */
async function ofServer() {
  const { components } = await read("openapi.json");
  const names = [
    ...["Added", "ChangeDetails", "ChangeInfo", "ChangeKept", "CheckpointExhibit", "CheckpointPlace", "Health"],
    ...["MadeToken", "PlacedStep", "Point", "Project", "ProjectDetails", "RunDetails", "RunInfo", "RunKept", "RunRequest"],
    ...["Scope", "SentChange", "SentDetails", "SentRun", "SentSteps", "SeriesInfo", "Summary", "Token"],
    ...["AddedDay", "ListedAlarm", "ListedWatch", "NewAcknowledgement", "AlarmNote", "SentWatch", "WatchDay"],
    ...["WatchDetails", "WatchKept", "WatchStatus"],
  ];
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  return { title: "Server", type: "object", properties, $defs: components.schemas };
}

const out = process.argv[2] ?? join(HERE, "src/documents");
await mkdir(out, { recursive: true });
const schemas = Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await read(`${name}.schema.json`)])));
for (const [name, schema] of Object.entries({ ...schemas, server: await ofServer() })) {
  const text = await compile(schema, schema.title, {
    additionalProperties: false,
    bannerComment: "/* Made by `node/types.mjs` from `docs/schemas`. */",
    style: { printWidth: 120 },
    unreachableDefinitions: false,
  });
  await writeFile(join(out, `${name}.ts`), text);
}
