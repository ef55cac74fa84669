import { parseArgs } from "node:util";
import { assert } from "../kit/index.ts";
import { misused } from "./cli-error.ts";
import { type Command, nameOf } from "./command.ts";
import type { FlagSpec, ParsedFlags } from "./flag.ts";

/** Flags of every command. */
const JSON_FLAG: FlagSpec = {
  name: "json",
  value: null,
  about: "print one JSON object instead of text",
};
const HELP_FLAG: FlagSpec = { name: "help", value: null, about: "show this help" };

export function flagsOf(command: Command): readonly FlagSpec[] {
  return [...command.flags, JSON_FLAG, HELP_FLAG];
}

/** Parses what follows the command's name. Unknown arguments are refused by name, never ignored. */
export function parseFlags(command: Command, args: readonly string[]): ParsedFlags {
  const specs = new Map(flagsOf(command).map((spec) => [spec.name, spec]));
  const values = new Map<string, string>();
  for (const token of tokensOf(args, specs)) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      takePositional(command, values, token.value);
      continue;
    }
    const spec = specs.get(token.name === "h" ? "help" : token.name);
    if (!spec) throw unknownFlag(command, token.rawName);
    if (values.has(spec.name)) throw misused(`${token.rawName} was given twice.`);
    values.set(spec.name, checkValue(spec, token.value));
  }
  if (!values.has("help")) checkRequired(command, values);
  return {
    has: (name) => values.has(name),
    text: (name) => values.get(name),
    required(name) {
      const value = values.get(name);
      assert(value !== undefined, `${nameOf(command)} does not declare --${name} as required`);
      return value;
    },
  };
}

function tokensOf(args: readonly string[], specs: ReadonlyMap<string, FlagSpec>) {
  const options = Object.fromEntries(
    [...specs.values()].map((spec) => [
      spec.name,
      { type: spec.value === null ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  // Not strict: its error messages name its own functions, and it refuses `--amount -5`.
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function checkValue(spec: FlagSpec, value: string | undefined): string {
  if (spec.value === null) {
    if (value !== undefined) throw misused(`--${spec.name} takes no value.`);
    return "";
  }
  if (value === undefined || value === "" || value.startsWith("--")) {
    throw needsValue(spec);
  }
  return value;
}

function needsValue({ name, value }: FlagSpec): Error {
  return misused(`--${name} needs a value: --${name} ${value}.`);
}

function takePositional(command: Command, values: Map<string, string>, value: string): void {
  const positional = command.flags.find((flag) => flag.positional);
  const spec = positional && !values.has(positional.name) ? positional : undefined;
  const notTaken = `${nameOf(command)} does not take ${JSON.stringify(value)}.`;
  // Otherwise a backup would be written to a folder of that name.
  if (isBareFlag(command, value)) {
    const orValue = spec ? ` If it is the value, say --${spec.name} ${value}.` : "";
    throw misused(`${notTaken} Flags begin with two dashes: --${value}.${orValue}`);
  }
  if (!spec) throw misused(`${notTaken} Values follow a flag.`);
  // Left behind by an unset variable in a script; as a path it would mean the current folder.
  if (value === "") throw needsValue(spec);
  values.set(spec.name, value);
}

const ON_OR_OFF = /^(true|false|yes|no|on|off)$/i;
/** A folder may well be named `day=1`, so only names of several words count. */
const NUMBERED_SWITCH = /^[a-z]+-[a-z-]+=[01]$/;

/** A flag written without dashes, as other programs accept it. Also an unknown one, if it can only be a switch. */
function isBareFlag(command: Command, value: string): boolean {
  const [, name, given = ""] = /^([a-z][a-z-]*)=(.*)$/s.exec(value) ?? [];
  if (name === undefined) return false;
  if (ON_OR_OFF.test(given) || NUMBERED_SWITCH.test(value)) return true;
  return flagsOf(command).some((flag) => flag.name === name);
}

function unknownFlag(command: Command, rawName: string): Error {
  const known = flagsOf(command).map((flag) => `--${flag.name}`);
  const setting = command.settings?.[rawName.replace(/^--/, "")];
  const advice = setting === undefined ? "" : `: set ${setting} in the environment`;
  return misused(`${nameOf(command)} does not know ${rawName}${advice}. It takes ${known.join(", ")}.`);
}

function checkRequired(command: Command, values: ReadonlyMap<string, string>): void {
  const missing = command.flags.filter((flag) => flag.required && !values.has(flag.name));
  if (missing.length === 0) return;
  const names = missing.map((flag) => `--${flag.name} ${flag.value}`);
  throw misused(`${nameOf(command)} needs ${names.join(" and ")}.`);
}
