import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectConfig } from "../../gateway/src/app/settings.ts";
import { loadCatalog } from "../../gateway/src/catalog/index.ts";
import { PROVIDER_FIELDS } from "../../gateway/src/config/provider-entry.ts";
import { CATALOG_SECTIONS } from "../../gateway/src/config/schema.ts";
import { VENDORS } from "../../gateway/src/providers/index.ts";
import { readProjectFile } from "../tidy/source-tree.ts";
import { sortedJson, sortedLines } from "./golden.ts";

const ROOT = join(import.meta.dir, "..", "..");
const SECRET = "0".repeat(64);
/** What most settings refuse, so that each says what it accepts. */
const WRONG_VALUES = ["?!", "-1", "x y"];
const WRONG = "?";
const CREDENTIALS = { api_key: 1, access_key_id: 1, secret_access_key: 1, session_token: 1 };
const MODEL_TYPES = ["text", "image", "audio", "video"];

/** Every setting: its default, what it accepts, and what the documents say about it. */
export function recordedSettings(): string {
  const { names } = inspectConfig({}, ROOT);
  const production = { BURSAR_ENV: "production", BURSAR_SECRET: SECRET };
  return [
    `# Defaults\n${defaultsWith({})}`,
    `# Defaults in production\n${defaultsWith(production)}`,
    `# Variables\n${sortedLines([...names].flatMap(wordsOfVariable))}`,
    `# The file\n${sortedLines(wordsOfFile())}`,
    `# The catalog's sections\n${sortedLines(wordsOfCatalog())}`,
    `# As documented\n${sortedLines(documentedSettings())}`,
  ].join("\n");
}

/** As without a terminal, where the log has another default. */
function defaultsWith(env: Record<string, string>): string {
  const { isTTY } = process.stderr;
  try {
    process.stderr.isTTY = false;
    const { config, problems } = inspectConfig(env, ROOT);
    return sortedJson({ ...config, problems }).replaceAll(ROOT, "<root>");
  } finally {
    process.stderr.isTTY = isTTY;
  }
}

function wordsOfVariable(name: string): string[] {
  const said = WRONG_VALUES.flatMap((value) => inspectConfig({ [name]: value }, "/").problems);
  return [name, ...said];
}

function wordsOfFile(): string[] {
  const sections = ["limits", "timeouts", "notices"];
  return [
    ...problemsWith({ [WRONG]: 1, sandbox: WRONG, credit_usd: WRONG, providers: WRONG }),
    ...sections.flatMap((section) => {
      const [unknown = ""] = problemsWith({ [section]: { [WRONG]: 1 } });
      const [, known = ""] = unknown.split("known here: ");
      const wrong = Object.fromEntries(known.split(", ").map((name) => [name, WRONG]));
      return [unknown, ...problemsWith({ [section]: wrong }), ...problemsWith({ [section]: 1 })];
    }),
    ...problemsWith({ providers: { [WRONG]: {}, a: 1, b: { kind: WRONG, [WRONG]: 1 } } }),
    ...Object.keys(VENDORS).flatMap((kind) => {
      const wrong = Object.fromEntries(PROVIDER_FIELDS.map((field) => [field, []]));
      const some = problemsWith({ providers: { a: { ...wrong, kind } } });
      return [...some, ...problemsWith({ providers: { a: { ...CREDENTIALS, kind } } })].map(
        (line) => `${kind}: ${line}`,
      );
    }),
  ];
}

function problemsWith(file: object): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "bursar-golden-"));
  try {
    const path = join(folder, "bursar.yaml");
    writeFileSync(path, JSON.stringify(file));
    return inspectConfig({ BURSAR_CONFIG: path }, ROOT).problems.map((line) =>
      line.replaceAll(path, "<file>"),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wordsOfCatalog(): readonly string[] {
  return MODEL_TYPES.flatMap((type) => {
    const model = { [WRONG]: 1, type };
    const typed = { ...model, id: "a", name: "a", targets: 1, price: 1, limits: 1, capabilities: 1 };
    const within = { ...typed, audio_kind: WRONG, price: { [WRONG]: 1 }, limits: { [WRONG]: 1 } };
    const plan = { [WRONG]: 1 };
    const sections = { models: [model, typed, within], aliases: { a: 1 }, plans: { a: plan, b: 1 } };
    const given = { ...sections, packs: { a: plan, b: 1 } };
    const all = Object.fromEntries(CATALOG_SECTIONS.map((name) => [name, given[name]]));
    const loaded = loadCatalog({
      configuredProviders: new Set(),
      knownProviders: new Set(["sandbox"]),
      serves: () => true,
      dropsMessages: () => false,
      thinksBeyondLimit: () => false,
      aliasPrefix: "svc-",
      overlay: { given: all, asWritten: all },
    });
    return loaded.outcome === "refused" ? loaded.problems.map((line) => `${type}: ${line}`) : [];
  });
}

/** The items and table rows of the page that begin with a name. */
function documentedSettings(): string[] {
  const page = readProjectFile("docs/configuration.md");
  const items = page.split(/\n(?=[-|#]|$)/m).map((item) => item.replace(/\s+/g, " ").trim());
  return items.filter((item) => /^(- `[A-Z]|\| `)/.test(item));
}
