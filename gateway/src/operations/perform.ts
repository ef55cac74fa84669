import type { Database } from "../db/index.ts";
import { type Actor, covers, OPERATOR, type OrganizationRecord, type Role } from "../identity/index.ts";
import { assert, failpoint } from "../kit/index.ts";
import { OPERATORS_CHAIN, saveAct, saveTriggersSilent } from "./audit-store.ts";
import type { Act, Caller, Face, Operation, Written } from "./operation.ts";
import { forbidden, invalidInput, noSuch } from "./problem.ts";
import { type OperationServices, servicesIn } from "./services.ts";

type Asked = {
  readonly by: Caller;
  readonly face: Face;
  /** Id or slug; null if none is named. */
  readonly org: string | null;
  readonly input: unknown;
};

/** Who acts, where, and as what. */
type Stand = {
  readonly organization: OrganizationRecord | null;
  readonly standing: Role | "operator";
};

const RANKS = { member: 0, admin: 1, owner: 2, operator: 3 } as const;

/** Refuses who has no right to an operation, before its input is read. */
export async function authorize(
  services: OperationServices,
  operation: Operation,
  asked: Pick<Asked, "by" | "org">,
): Promise<void> {
  await standOf(services, operation, asked);
}

/**
 * The only way to an operation: organization, right, input, then its work, in this order; the first that fails answers.
 * A write runs in one transaction, in which the right is checked again under the organization's lock, and which writes
 * the change to the audit log.
 */
export async function perform(
  services: OperationServices,
  operation: Operation,
  { by, face, org, input: given }: Asked,
): Promise<unknown> {
  const seen = await standOf(services, operation, { by, org });
  const parsed = operation.input.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidInput(issue?.path.map(String).join(".") ?? "", issue?.message ?? "That is not valid.");
  }
  const run = (stand: Stand, within: OperationServices) =>
    operation.run(actOf({ by, face, stand, services: within }) as never, parsed.data as never);
  if (operation.access === "read") return run(seen, services);
  const written = await services.db.transaction(async (client) => {
    const within = servicesIn(services, client);
    await saveTriggersSilent(within.db);
    if (seen.organization) await within.identity.organizations.lock(seen.organization.id);
    const stand = await standOf(within, operation, {
      by: await again(within, by),
      org: seen.organization?.id ?? null,
    });
    const done = (await run(stand, within)) as Written<unknown>;
    await record(within.db, { operation, by, face, stand, done });
    return done;
  });
  const { changed } = written;
  if (changed !== null)
    services.log.info("operation_done", {
      operation: operation.name,
      face,
      org_id: seen.organization?.id,
      actor_id: "id" in by ? by.id : by.kind,
      object_id: changed.object.id,
    });
  const result = await written.afterwards?.();
  return written.output ?? result;
}

/** A key that is revoked from now on waits for the transaction. */
async function again({ identity }: OperationServices, by: Caller): Promise<Caller> {
  if (by.kind !== "key") return by;
  const key = await identity.managementKeys.lock(by.id);
  if (!key) throw forbidden("This key no longer works.");
  return { ...by, scopes: key.scopes };
}

async function record(
  db: Database,
  acted: { operation: Operation; by: Caller; face: Face; stand: Stand; done: Written<unknown> },
): Promise<void> {
  const { operation, by, face, stand, done } = acted;
  assert(done.changed !== undefined, `${operation.name} does not say what it changed`);
  if (done.changed === null) return;
  await failpoint("after_change_before_audit");
  const own = stand.organization ? [stand.organization.id] : [];
  await saveAct(db, {
    chains: stand.standing === "operator" ? [...own, OPERATORS_CHAIN] : own,
    actor: { kind: by.kind, id: "id" in by ? by.id : null, name: by.name },
    face,
    operation: operation.name,
    ...done.changed,
  });
  await failpoint("after_audit_before_commit");
}

/** A foreign organization answers exactly like one that does not exist. */
async function standOf(
  services: OperationServices,
  operation: Operation,
  { by, org }: { readonly by: Caller; readonly org: string | null },
): Promise<Stand> {
  const isOf = operation.place === "organization" || (operation.place === "either" && org !== null);
  const organization = isOf && org !== null ? await services.identity.organizations.find(org) : null;
  if (isOf && !organization) throw noSuch("organization");
  const standing = await standingOf(services, operation, { by, organization: organization ?? null });
  return { organization: organization ?? null, standing };
}

async function standingOf(
  services: OperationServices,
  operation: Operation,
  { by, organization }: { readonly by: Caller; readonly organization: OrganizationRecord | null },
): Promise<Role | "operator"> {
  const least = organization || operation.place === "organization" ? operation.who : "operator";
  switch (by.kind) {
    case "operator":
      return "operator";
    case "key": {
      if (by.organizationId !== null && organization && organization.id !== by.organizationId)
        throw noSuch("organization");
      const { area, access } = operation;
      const scope = area === "system" ? area : (`${area}:${access}` as const);
      if (!covers(by.scopes, scope)) throw forbidden(`This needs a key with the scope ${scope}.`);
      const standing = by.organizationId === null ? "operator" : "owner";
      if (RANKS[standing] < RANKS[least]) throw forbidden("Only an operator may do that.");
      return standing;
    }
    case "person": {
      const role = organization && (await services.identity.members.roleOf(organization.id, by.id));
      if (role && RANKS[role] >= RANKS[least]) return role;
      if (await services.identity.operators.is(by.id)) return "operator";
      if (organization && !role) throw noSuch("organization");
      throw forbidden(WHO[least]);
    }
  }
}

const WHO = {
  member: "Only members may do that.",
  admin: "Only owners and admins may do that.",
  owner: "Only owners may do that.",
  operator: "Only an operator may do that.",
} as const;

function actOf(of: {
  by: Caller;
  face: Face;
  stand: Stand;
  services: OperationServices;
}): Act & { organization: OrganizationRecord | undefined } {
  const { by, face, stand, services } = of;
  return {
    by,
    face,
    services,
    standing: stand.standing,
    actor: actorOf(by, stand),
    organization: stand.organization ?? undefined,
  };
}

function actorOf(by: Caller, { standing }: Stand): Actor {
  if (standing === "operator") return OPERATOR;
  return by.kind === "person" ? { kind: "person", userId: by.id } : { kind: "key" };
}
