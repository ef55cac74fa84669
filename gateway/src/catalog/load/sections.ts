import { z } from "zod";
import { isObject } from "../../kit/index.ts";
import { buildPack, buildPlan, type Pack, type Plan, packEntry, planEntry } from "../plans.ts";
import { identifier, keyName } from "./entry-fields.ts";
import { everyModel, isOfKnownType, type ModelEntry, modelEntry } from "./entry-schema.ts";
import { describeIssues } from "./setting-problems.ts";

/** The catalog's sections of a file, not validated yet. */
export type CatalogSections = {
  readonly models?: unknown;
  readonly aliases?: unknown;
  readonly plans?: unknown;
  readonly packs?: unknown;
};

type Layer = {
  readonly given: CatalogSections;
  /** The same with `${NAME}` placeholders not filled in; only this may be shown in messages. */
  readonly asWritten: CatalogSections;
  /** Prefix for the path of a wrong setting. */
  readonly origin: string;
  /** True for our own data, which the operator cannot edit. */
  readonly isDefault: boolean;
  /** Prefix for the names of this layer's aliases. */
  readonly aliasPrefix: string;
};

export type DraftModel = { readonly entry: ModelEntry; readonly path: string; readonly isDefault: boolean };
type DraftAlias = { readonly ids: readonly string[]; readonly path: string; readonly isDefault: boolean };

/** What the layers have defined so far. Paths are kept for the checks that run once everything is known. */
export type Draft = {
  readonly problems: string[];
  readonly models: Map<string, DraftModel>;
  readonly aliases: Map<string, DraftAlias>;
  readonly plans: Map<string, { readonly plan: Plan; readonly given: object }>;
  readonly packs: Map<string, Pack>;
};

const MAX_MODELS = 2000;
const MAX_NAMES = 500;
const MAX_ALIAS_MODELS = 50;

export function createDraft(): Draft {
  return { problems: [], models: new Map(), aliases: new Map(), plans: new Map(), packs: new Map() };
}

/**
 * Lays a layer over the draft: a model replaces the one with the same id entirely, aliases and packs are replaced by
 * key, and a plan changes only the fields that it names.
 */
export function addLayer(draft: Draft, layer: Layer): void {
  addPlans(draft, layer);
  addPacks(draft, layer);
  addModels(draft, layer);
  addAliases(draft, layer);
}

function addModels(draft: Draft, layer: Layer): void {
  const section = `${layer.origin}models`;
  const written = Array.isArray(layer.asWritten.models) ? layer.asWritten.models : [];
  const seen = new Set<string>();
  for (const [index, given] of asList(draft, section, layer.given.models).entries()) {
    const path = `${section}[${index}]`;
    const value = { path, given, written: written[index] };
    const entry = check(draft, { schema: modelEntry, ...value });
    // With a wrong type nothing else was checked; the fields that every model has still can be.
    if (!entry && isObject(given) && !isOfKnownType(given)) check(draft, { schema: everyModel, ...value });
    if (!entry) continue;
    if (seen.has(entry.id)) draft.problems.push(`${path}.id: appears twice in this list`);
    seen.add(entry.id);
    draft.models.set(entry.id, { entry, path, isDefault: layer.isDefault });
  }
}

function addAliases(draft: Draft, layer: Layer): void {
  const section = `${layer.origin}aliases`;
  for (const [key, given] of asPairs(draft, section, layer.given.aliases)) {
    const path = `${section}.${key}`;
    const alias = `${layer.aliasPrefix}${key}`;
    if (check(draft, { schema: identifier, path, given: alias, written: key }) === undefined) continue;
    if (isListOfText(given)) {
      draft.aliases.set(alias, { ids: Object.freeze([...given]), path, isDefault: layer.isDefault });
    } else draft.problems.push(`${path}: must be a list of 1 to ${MAX_ALIAS_MODELS} model ids`);
  }
}

function addPlans(draft: Draft, layer: Layer): void {
  const section = `${layer.origin}plans`;
  for (const [name, given] of asPairs(draft, section, layer.given.plans)) {
    const path = `${section}.${name}`;
    if (check(draft, { schema: keyName, path, given: name, written: name }) === undefined) continue;
    const below = draft.plans.get(name)?.given;
    const merged = over(below, given);
    const written = over(below, member(layer.asWritten.plans, name));
    const entry = check(draft, { schema: planEntry, path, given: merged, written });
    if (entry) draft.plans.set(name, { plan: buildPlan(name, entry), given: Object(merged) });
  }
}

function addPacks(draft: Draft, layer: Layer): void {
  const section = `${layer.origin}packs`;
  for (const [name, given] of asPairs(draft, section, layer.given.packs)) {
    const path = `${section}.${name}`;
    if (check(draft, { schema: keyName, path, given: name, written: name }) === undefined) continue;
    const entry = check(draft, {
      schema: packEntry,
      path,
      given,
      written: member(layer.asWritten.packs, name),
    });
    if (entry) draft.packs.set(name, buildPack(name, entry));
  }
}

function check<Schema extends z.ZodType>(
  draft: Draft,
  value: { schema: Schema; path: string; given: unknown; written: unknown },
): z.output<Schema> | undefined {
  const result = value.schema.safeParse(value.given, { error: nameKnown });
  if (result.success) return result.data;
  draft.problems.push(...describeIssues(result.error.issues, value.path, value.written));
  return undefined;
}

/** A misspelt field is corrected by those that its object has. */
function nameKnown({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  const isUnknown = code === "unrecognized_keys" && inst instanceof z.ZodObject;
  return isUnknown ? `is not a setting; known here: ${Object.keys(inst.shape).join(", ")}` : undefined;
}

function asList(draft: Draft, path: string, given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  if (Array.isArray(given) && given.length <= MAX_MODELS) return given;
  draft.problems.push(`${path}: must be a list of at most ${MAX_MODELS}`);
  return [];
}

function asPairs(draft: Draft, path: string, given: unknown): readonly (readonly [string, unknown])[] {
  if (given === undefined || given === null) return [];
  if (isObject(given) && Object.keys(given).length <= MAX_NAMES) return Object.entries(given);
  draft.problems.push(`${path}: must be a mapping of at most ${MAX_NAMES} names`);
  return [];
}

function member(mapping: unknown, key: string): unknown {
  return isObject(mapping) ? Object.getOwnPropertyDescriptor(mapping, key)?.value : undefined;
}

function over(below: object | undefined, given: unknown): unknown {
  return isObject(given) ? { ...below, ...given } : given;
}

function isListOfText(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= MAX_ALIAS_MODELS &&
    value.every((item) => typeof item === "string")
  );
}
