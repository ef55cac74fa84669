import type { OrganizationRecord } from "../identity/index.ts";
import { isObject, newId } from "../kit/index.ts";
import {
  acceptedBy,
  type InputField,
  inputFields,
  type Operation,
  type OperationTable,
  type OutputOf,
  operationNamed,
  type Problem,
  perform,
  Refused,
  renamed,
  snakeName,
  valueOfText,
} from "../operations/index.ts";
import { askSurely } from "./ask-surely.ts";
import { failed, misused } from "./cli-error.ts";
import { withNewServices, withServices } from "./cli-host.ts";
import type { Command, CommandInput } from "./command.ts";
import type { FlagSpec, ParsedFlags } from "./flag.ts";
import { quoted } from "./flag-values.ts";
import { findOrganization, type OperatorServices, ORG_FLAG } from "./operator-services.ts";
import type { Paint } from "./terminal.ts";
import { commandText } from "./wording.ts";

export type Told = {
  readonly organization: OrganizationRecord;
  readonly services: OperatorServices;
  readonly paint: Paint;
  readonly flags: ParsedFlags;
};

/** What the command line adds to an operation: how its answer reads, and words for its flags. */
type Wording<Name extends OperationTable["name"]> = {
  /** The command; by default the operation's name. */
  readonly path?: readonly string[];
  /** How the organization is named: by a flag that must be given, that may be, or not at all. */
  readonly org: FlagSpec | null;
  /** Finds the organization of what a flag names; the flag for it only confirms. */
  orgOf?(services: OperatorServices, flags: ParsedFlags): Promise<string | undefined>;
  /** By field; null hides a field that people do not need. */
  readonly flags?: Readonly<Record<string, Partial<FlagSpec> | null>>;
  /** May come before the first start. */
  readonly isFirst?: boolean;
  /** Is asked again under the same id until the outcome is known. */
  readonly isAskedSurely?: boolean;
  /** The list that comes in pages; the command shows all of them. */
  readonly pages?: string;
  /** What the flags together must be, before anything is opened. */
  check?(flags: ParsedFlags): void;
  text(output: OutputOf<Name>, told: Told): string | Promise<string>;
};

/** A command that performs one operation: its flags are the operation's input. */
export function commandFor<const Name extends OperationTable["name"]>(
  name: Name,
  wording: Wording<Name>,
): Command {
  const operation = operationNamed(name);
  const fields = inputFields(operation).filter((field) => wording.flags?.[field.name] !== null);
  const flags = fields.map((field) => flagOf(field, wording.flags?.[field.name] ?? {}));
  return {
    path: wording.path ?? name.split("."),
    ...operation.words,
    flags: wording.org === null ? flags : [wording.org, ...flags].sort(positionalFirst),
    run: (given) => {
      wording.check?.(given.flags);
      const input = inputOf(operation, { fields, flags, given: given.flags });
      if (wording.isAskedSurely) input["id"] = newId();
      const open = wording.isFirst ? withNewServices : withServices;
      return open(given.host, (services) => performed(operation, wording, { services, given, input }));
    },
  };
}

const positionalFirst = (a: FlagSpec, b: FlagSpec) => Number(b.positional ?? 0) - Number(a.positional ?? 0);

async function performed<Name extends OperationTable["name"]>(
  operation: Operation,
  wording: Wording<Name>,
  { services, given, input }: { services: OperatorServices; given: CommandInput; input: object },
) {
  const { flags, paint } = given;
  const asked = flags.text("org");
  const named = asked === undefined ? null : await findOrganization(services, asked);
  const found = wording.orgOf ? await wording.orgOf(services, flags) : named?.id;
  if (wording.orgOf && (found === undefined || (named && found !== named.id)))
    throw worded({ code: "not_found", message: "", what: "key" }, flags);
  const owner = found ?? null;
  const by = { kind: "operator", name: "operator" } as const;
  const asking = { by, face: "cli", org: owner } as const;
  const ask = () =>
    wording.pages === undefined
      ? perform(services, operation, { ...asking, input })
      : allPages(wording.pages, (cursor) =>
          perform(services, operation, { ...asking, input: { ...input, ...cursor } }),
        );
  try {
    const output = await (wording.isAskedSurely ? askSurely(ask) : ask());
    const organization =
      named ?? (owner === null ? undefined : await services.identity.organizations.find(owner));
    const text = await wording.text(output as never, {
      organization: organization as OrganizationRecord,
      services,
      paint,
      flags,
    });
    const json = renamed(output, snakeName);
    return { json: isObject(json) ? json : {}, text };
  } catch (error) {
    throw error instanceof Refused ? worded(error.problem, flags) : error;
  }
}

/** Most pages of a listing: a million organizations. */
const MAX_PAGES = 1_000;

async function allPages(list: string, ask: (cursor: object) => Promise<unknown>): Promise<unknown> {
  const all: unknown[] = [];
  let cursor: object = {};
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = (await ask(cursor)) as Record<string, unknown>;
    all.push(...(found[list] as unknown[]));
    if (typeof found["nextCursor"] !== "string") return { [list]: all, count: all.length };
    cursor = { cursor: found["nextCursor"] };
  }
  throw failed(`There are more than ${all.length.toLocaleString("en-US")}: too many for one list.`);
}

function flagOf(field: InputField, words: Partial<FlagSpec>): FlagSpec {
  const name = kebab(field.name);
  const last = name.slice(name.lastIndexOf("-") + 1).toUpperCase();
  const value = field.kind === "whole" ? "N" : field.kind === "list" ? "A,B" : last;
  return {
    name,
    value: field.kind === "switch" ? "true|false" : value,
    about: field.about,
    required: field.isRequired,
    ...words,
  };
}

/** Read before anything is opened: a typo should not start a database. */
function inputOf(
  operation: Operation,
  of: { fields: readonly InputField[]; flags: readonly FlagSpec[]; given: ParsedFlags },
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [at, field] of of.fields.entries()) {
    const flag = of.flags[at];
    if (!flag || !of.given.has(flag.name)) continue;
    if (flag.value === null) {
      input[field.name] = true;
      continue;
    }
    const text = of.given.text(flag.name) ?? "";
    const value = valueOfText(field, text);
    const isOutside =
      typeof value === "number" && (value < (field.min ?? value) || value > (field.max ?? value));
    if (value === undefined || isOutside)
      throw misused(`--${flag.name} takes ${notThis(acceptedBy(field), text, field.kind)}`);
    input[field.name] = value;
  }
  const { error } = operation.input.safeParse(input);
  const issue = error?.issues.find(({ code }) => code === "custom");
  if (!issue) return input;
  const name = kebab(String(issue.path[0]));
  const accepts = issue.message.replace(/^This takes (.*)\.$/, "$1");
  throw misused(`--${name} takes ${notThis(accepts, of.given.text(name) ?? "", "text")}`);
}

function notThis(accepts: string | null, text: string, kind: InputField["kind"]): string {
  return kind === "list" ? `${accepts}.` : `${accepts}, not ${quoted(text)}.`;
}

const kebab = (name: string) => snakeName(name).replaceAll("_", "-");

/** What was not found, and the command that shows what there is. */
const MISSING: Readonly<Record<string, (flags: ParsedFlags) => string>> = {
  key: () => `There is no such key: ${commandText("key list --org ORG")} shows the ids.`,
  person: (flags) =>
    `Nobody has the address ${flags.text("email")}: ${commandText("member add")} adds a person.`,
};

function worded({ code, message, field, accepts, what }: Problem, flags: ParsedFlags): Error {
  if (code === "invalid" && field !== undefined && accepts !== undefined) {
    const given = flags.text(kebab(field));
    const isChoice = given !== undefined && accepts.startsWith("one of ");
    return misused(`--${kebab(field)} takes ${isChoice ? notThis(accepts, given, "text") : `${accepts}.`}`);
  }
  if (code === "not_found" && what !== undefined) return failed(MISSING[what]?.(flags) ?? message);
  return code === "invalid" ? misused(message) : failed(message);
}

export { ORG_FLAG };
