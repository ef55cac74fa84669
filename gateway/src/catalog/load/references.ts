import type { Draft, DraftModel } from "./sections.ts";

/** References between entries can only be checked once every layer has been read. */
export function checkReferences(draft: Draft, knownProviders: ReadonlySet<string>): void {
  checkModels(draft, knownProviders);
  checkAliases(draft);
}

function checkModels(draft: Draft, knownProviders: ReadonlySet<string>): void {
  const planNames = [...draft.plans.keys()].join(", ");
  const mixed = providersOf(draft, true).intersection(providersOf(draft, false));
  for (const { entry, path, isDefault } of draft.models.values()) {
    for (const [index, { provider }] of entry.targets.entries()) {
      const at = `${path}.targets[${index}].provider`;
      if (!knownProviders.has(provider)) draft.problems.push(`${at}: must be a name defined under providers`);
      if (mixed.has(provider) && !isDefault)
        draft.problems.push(`${at}: must serve only models with test: true, or none`);
    }
    for (const [index, plan] of (entry.visibility?.plans ?? []).entries()) {
      if (draft.plans.has(plan)) continue;
      draft.problems.push(`${path}.visibility.plans[${index}]: must be one of ${planNames}`);
    }
  }
}

/** Mixing them would let a paid call fall back to scripted answers. */
function providersOf({ models }: Draft, isTest: boolean): ReadonlySet<string> {
  const entries = [...models.values()].filter(({ entry }) => entry.test === isTest);
  return new Set(entries.flatMap(({ entry }) => entry.targets.map(({ provider }) => provider)));
}

/** Blames a setting that the operator wrote: our defaults are in no file of theirs. */
function takenAlias(
  alias: string,
  { path, isDefault }: { readonly path: string; readonly isDefault: boolean },
  named: DraftModel,
): string {
  if (!isDefault) return `${path}: is already the id of a model`;
  if (named.isDefault) return `BURSAR_ALIAS_PREFIX: makes the alias ${alias}, which is the id of a model`;
  return `${named.path}.id: is the name of a default alias`;
}

function checkAliases(draft: Draft): void {
  for (const [alias, { ids, path, isDefault }] of draft.aliases) {
    const named = draft.models.get(alias);
    // Resolving looks for an id first, so such an alias would never be used.
    if (named) draft.problems.push(takenAlias(alias, { path, isDefault }, named));
    const models: DraftModel[] = [];
    for (const [index, id] of ids.entries()) {
      const model = draft.models.get(id);
      if (model) models.push(model);
      else draft.problems.push(`${path}[${index}]: must be the id of a model`);
    }
    const type = (models.find((model) => model.isDefault) ?? models[0])?.entry.type;
    const others = models.filter(({ entry }) => entry.type !== type);
    if (others.length === 0) continue;
    if (!isDefault) draft.problems.push(`${path}: must name models of one type`);
    for (const other of isDefault ? others : []) {
      draft.problems.push(
        `${other.path}.type: must be that of the other models of the default alias ${alias}`,
      );
    }
  }
}
