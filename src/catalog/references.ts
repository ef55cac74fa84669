import { SANDBOX_PROVIDER } from "./model.ts";
import type { Draft } from "./sections.ts";

/** What one entry says of another can only be checked when every layer has been read. */
export function checkReferences(draft: Draft, knownProviders: ReadonlySet<string>): void {
  checkModels(draft, knownProviders);
  checkAliases(draft);
}

function checkModels(draft: Draft, knownProviders: ReadonlySet<string>): void {
  const planNames = [...draft.plans.keys()].join(", ");
  for (const { entry, path } of draft.models.values()) {
    for (const [index, { provider }] of entry.targets.entries()) {
      if (provider === SANDBOX_PROVIDER || knownProviders.has(provider)) continue;
      draft.problems.push(`${path}.targets[${index}].provider: must be a name defined under providers`);
    }
    for (const [index, plan] of (entry.visibility?.plans ?? []).entries()) {
      if (draft.plans.has(plan)) continue;
      draft.problems.push(`${path}.visibility.plans[${index}]: must be one of ${planNames}`);
    }
  }
}

function checkAliases(draft: Draft): void {
  for (const [alias, { ids, path }] of draft.aliases) {
    // Resolving looks for an id first, so such an alias would never serve.
    if (draft.models.has(alias)) draft.problems.push(`${path}: is already the id of a model`);
    const types = new Set<string>();
    for (const [index, id] of ids.entries()) {
      const model = draft.models.get(id);
      if (model) types.add(model.entry.type);
      else draft.problems.push(`${path}[${index}]: must be the id of a model`);
    }
    if (types.size > 1) draft.problems.push(`${path}: must name models of one type`);
  }
}
