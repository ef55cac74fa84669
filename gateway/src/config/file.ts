import { readFileSync } from "node:fs";
import { codeOf, isObject } from "../kit/index.ts";
import type { Environment } from "./env.ts";
import { parseYaml } from "./yaml.ts";

/** The configuration file twice: with `${NAME}` substituted, and as written, for messages. */
type ConfigFile = { readonly given: Mapping; readonly asWritten: Mapping };
export type Mapping = Readonly<Record<string, unknown>>;

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;
/** YAML anchors let a small file expand into a large one. */
const MAX_VALUES = 100_000;

/** Private-use characters replace `${` and `}` while YAML is parsed, which reads a bare brace as a mapping. */
const OPEN = "\uE000";
const CLOSE = "\uE001";
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const MARKED = /\uE000([A-Za-z0-9_]+)\uE001/g;

const EMPTY: ConfigFile = { given: {}, asWritten: {} };

/** A missing file counts as empty, unless it was named explicitly. */
export function readConfigFile(input: {
  readonly path: string;
  readonly required: boolean;
  readonly env: Environment;
  readonly problems: string[];
}): ConfigFile {
  let text: string;
  try {
    text = readFileSync(input.path, "utf8");
  } catch (error) {
    const code = codeOf(error) ?? "unknown error";
    if (code === "ENOENT" && !input.required) return EMPTY;
    input.problems.push(`BURSAR_CONFIG: must name a file that can be read (${input.path}: ${code})`);
    return EMPTY;
  }
  return parseConfigText(text, input);
}

/**
 * Variables are substituted after parsing, value by value: a secret that contains a colon or a line break can never be
 * read as YAML.
 */
export function parseConfigText(
  text: string,
  { path, env, problems }: { readonly path: string; readonly env: Environment; readonly problems: string[] },
): ConfigFile {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES || /[\uE000\uE001]/.test(text)) {
    problems.push(`${path}: must be YAML of at most ${MAX_FILE_BYTES} bytes without private-use characters`);
    return EMPTY;
  }
  if (text.includes("\0")) {
    problems.push(`${path}: must be text in UTF-8: save it in that encoding`);
    return EMPTY;
  }
  const marked = text.replace(VARIABLE, `${OPEN}$1${CLOSE}`);
  const reading = parseYaml(marked);
  if (!reading.ok) {
    problems.push(...reading.problems.map((problem) => `${path}: ${unmark(problem)}`));
    return EMPTY;
  }
  const tree = reading.value ?? {};
  if (!isObject(tree)) {
    problems.push(`${path}: must be a mapping of settings`);
    return EMPTY;
  }
  const [given, asWritten] = createFiller(env, problems).fill(tree, "", 0);
  return { given: given as Mapping, asWritten: asWritten as Mapping };
}

/** A value with its variables substituted, and the same value as written. */
type Filled = readonly [given: unknown, asWritten: unknown];

function createFiller(env: Environment, problems: string[]) {
  let values = 0;

  function fill(value: unknown, path: string, depth: number): Filled {
    values++;
    if (depth > MAX_DEPTH || values > MAX_VALUES) {
      // Anchors can refer to their own parents: from here on every value is dropped, and that is reported once.
      if (values < Number.POSITIVE_INFINITY) problems.push(`${path}: is nested too deep or too large`);
      values = Number.POSITIVE_INFINITY;
      return [null, null];
    }
    if (typeof value === "string") return [fillText(value, path), unmark(value)];
    if (Array.isArray(value)) {
      const items = value.map((item, index) => fill(item, `${path}[${index}]`, depth + 1));
      return [items.map(([given]) => given), items.map(([, written]) => written)];
    }
    if (!isObject(value)) return [value, value];
    const pairs = Object.entries(value).map(([key, inner]) => {
      const name = unmark(key);
      return [name, fill(inner, path === "" ? name : `${path}.${name}`, depth + 1)] as const;
    });
    return [
      Object.fromEntries(pairs.map(([name, [given]]) => [name, given])),
      Object.fromEntries(pairs.map(([name, [, written]]) => [name, written])),
    ];
  }

  function fillText(text: string, path: string): string {
    if (text.includes("${")) problems.push(`${path}: must name a variable of the environment as \${NAME}`);
    return text.replace(MARKED, (_, name: string) => {
      const found = env[name];
      if (!found) problems.push(`${path}: needs ${name}, which is not set in the environment`);
      return found ?? "";
    });
  }

  return { fill };
}

function unmark(text: string): string {
  return text.replace(MARKED, (_, name: string) => `\${${name}}`);
}
