import type { Database } from "../../db/index.ts";
import { present } from "../../kit/index.ts";
import type { Invalid } from "../refusal.ts";
import type { Actor } from "../role.ts";
import { administer, type Refusal } from "./in-organization.ts";
import { parseChange } from "./organization-change.ts";
import { loadOrganization, type OrganizationRecord, type Queryable, saveOrganization } from "./store.ts";

type Settings = { readonly name?: string | undefined; readonly efficiency?: string | undefined };

export type ChangeSettings = Settings & {
  readonly organizationId: string;
  readonly actor: Actor;
  /** The values that the caller saw; absent ones are not compared. */
  readonly seen: Settings;
};

export type UpdatedOrganization =
  | { readonly outcome: "ok"; readonly organization: OrganizationRecord }
  | Refusal
  | Invalid;

/** `conflict`: somebody else changed it first; returns the organization as they left it. */
export type ChangedSettings =
  | UpdatedOrganization
  | { readonly outcome: "conflict"; readonly organization: OrganizationRecord };

/** Compares and changes under one lock: of two concurrent changes, the second gets a conflict. */
export async function changeSettings(
  db: Database,
  { organizationId, actor, seen, ...wanted }: ChangeSettings,
): Promise<ChangedSettings> {
  const checked = parseChange(given(wanted));
  if (checked.outcome === "invalid") return checked;
  return administer<ChangedSettings>({ db, organizationId, actor }, async (client) => {
    const current = await locked(client, organizationId);
    const isStale = (field: keyof Settings) => seen[field] !== undefined && seen[field] !== current[field];
    if (isStale("name") || isStale("efficiency")) return { outcome: "conflict", organization: current };
    return saved(client, organizationId, checked.change);
  });
}

export type SwitchModel = {
  readonly organizationId: string;
  readonly actor: Actor;
  readonly modelId: string;
  readonly isOn: boolean;
};

export function switchModel(
  db: Database,
  { organizationId, actor, modelId, isOn }: SwitchModel,
): Promise<UpdatedOrganization> {
  return administer<UpdatedOrganization>({ db, organizationId, actor }, async (client) => {
    const { disabledModels } = await locked(client, organizationId);
    const others = [...disabledModels].filter((id) => id !== modelId);
    const checked = parseChange({ disabledModels: isOn ? others : [...others, modelId] });
    return checked.outcome === "invalid" ? checked : saved(client, organizationId, checked.change);
  });
}

function given({ name, efficiency }: Settings): { name?: string; efficiency?: string } {
  return { ...(name === undefined ? {} : { name }), ...(efficiency === undefined ? {} : { efficiency }) };
}

async function locked(client: Queryable, id: string): Promise<OrganizationRecord> {
  return present(await loadOrganization(client, { id }), "an organization whose row is locked");
}

async function saved(client: Queryable, id: string, change: Parameters<typeof saveOrganization>[2]) {
  const organization = present(await saveOrganization(client, id, change), "an organization that is locked");
  return { outcome: "ok", organization } as const;
}
