import { z } from "zod";
import { covers, MANAGEMENT_SCOPES, type ManagementKey, type OperatorPerson } from "../identity/index.ts";
import { duration, endOf, moment } from "./input-fields.ts";
import { type Act, type ActIn, type Change, defineOperation } from "./operation.ts";
import { conflict, forbidden, Refused, refused } from "./problem.ts";

const SCOPE = z.string();

const MANAGEMENT_KEY = z
  .object({
    id: z.string(),
    orgId: z.string().nullable().describe("null: the operator's, for every organization"),
    name: z.string(),
    lastFour: z.string(),
    scopes: z.array(SCOPE),
    state: z.enum(["active", "expired", "revoked"]),
    createdAt: z.string(),
    expiresAt: z.string().nullable(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: "ManagementKey" });

function viewOf(key: ManagementKey): z.input<typeof MANAGEMENT_KEY> {
  return {
    id: key.id,
    orgId: key.organizationId,
    name: key.name,
    lastFour: key.lastFour,
    scopes: [...key.scopes],
    state: key.state,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

function changeOf(key: ManagementKey, what: "before" | "after"): Change {
  const facts = { name: key.name, scopes: key.scopes, expiresAt: key.expiresAt?.toISOString() ?? null };
  const object = { kind: "management-key", id: key.id, name: key.name };
  return { object, before: null, after: null, [what]: facts };
}

const placeOf = ({ organization }: Partial<ActIn>) => ({ organizationId: organization?.id ?? null });

/** A key gives no more than it has. */
function checkGiven({ by }: Act, scopes: readonly string[]): void {
  if (by.kind !== "key") return;
  const beyond = MANAGEMENT_SCOPES.find((scope) => scopes.includes(scope) && !covers(by.scopes, scope));
  if (beyond !== undefined) throw forbidden(`A key cannot give the scope ${beyond}, which it does not have.`);
}

const createManagementKey = defineOperation({
  name: "management-key.create",
  area: "keys",
  access: "write",
  place: "either",
  who: "owner",
  rest: ["POST /organizations/{org}/management-keys", "POST /management-keys"],
  input: z.strictObject({
    name: z.string().describe("what it is for"),
    scopes: z
      .array(SCOPE)
      .min(1)
      .max(MANAGEMENT_SCOPES.length)
      .describe("AREA:read or AREA:write, or all; of the operator's own also system"),
    expiresIn: duration.optional().describe("such as 30d or 12h (default: never)"),
    expiresAt: moment.optional().describe("such as 2027-01-31T12:00:00Z"),
  }),
  output: MANAGEMENT_KEY.extend({ key: z.string().describe("the secret: shown once and never again") }).meta({
    id: "MintedManagementKey",
  }),
  words: {
    about: "Create a key for programs that administer. It is shown only once.",
    notes: "Of one organization, or without one the operator's, for all of them.",
  },
  async run(act, { name, scopes, ...ends }) {
    checkGiven(act, scopes);
    const mintedBy = act.by.kind === "person" ? act.by.id : act.by.kind === "key" ? act.by.mintedBy : null;
    const wanted = { ...placeOf(act), name, scopes, ...endOf(ends), mintedBy };
    const minted = await act.services.identity.managementKeys.mint(wanted);
    if (minted.outcome !== "ok")
      throw refused(minted, "organization", {
        too_many_keys: conflict(
          "There are already 100 active management keys. Revoke some that nobody needs.",
        ),
      });
    const { id, ...rest } = viewOf(minted.key);
    return { output: { id, key: minted.secret, ...rest }, changed: changeOf(minted.key, "after") };
  },
});

const listManagementKeys = defineOperation({
  name: "management-key.list",
  area: "keys",
  access: "read",
  place: "either",
  who: "owner",
  rest: ["GET /organizations/{org}/management-keys", "GET /management-keys"],
  input: z.strictObject({}),
  output: z
    .object({ managementKeys: z.array(MANAGEMENT_KEY), count: z.int() })
    .meta({ id: "ManagementKeys" }),
  words: { about: "List the management keys of an organization, or the operator's." },
  async run(act) {
    const found = await act.services.identity.managementKeys.list(placeOf(act));
    return { managementKeys: found.map(viewOf), count: found.length };
  },
});

const revokeManagementKey = defineOperation({
  name: "management-key.revoke",
  area: "keys",
  access: "write",
  place: "either",
  who: "owner",
  rest: ["DELETE /organizations/{org}/management-keys/{id}", "DELETE /management-keys/{id}"],
  input: z.strictObject({ id: z.string().describe("the key's id") }),
  output: MANAGEMENT_KEY,
  words: { about: "Revoke a management key at once." },
  async run(act, { id }) {
    const revoked = await act.services.identity.managementKeys.revoke({ ...placeOf(act), keyId: id });
    if (revoked.outcome !== "ok") throw refused(revoked, "management key", {});
    return { output: viewOf(revoked.key), changed: changeOf(revoked.key, "before") };
  },
});

const OPERATOR = z
  .object({ id: z.string(), email: z.string(), name: z.string(), addedAt: z.string() })
  .meta({ id: "Operator" });
const EMAIL = z.string().max(320).describe("the person's address");

function operatorOf({ userId, email, name, addedAt }: OperatorPerson): z.input<typeof OPERATOR> {
  return { id: userId, email, name, addedAt: addedAt.toISOString() };
}

function ofOperator({ userId, name, email }: OperatorPerson, what: "before" | "after"): Change {
  const object = { kind: "operator", id: userId, name: `${name} (${email})` };
  return { object, before: null, after: null, [what]: { email } };
}

const addOperator = defineOperation({
  name: "operator.add",
  area: "system",
  access: "write",
  place: "installation",
  who: "operator",
  rest: ["POST /operators"],
  input: z.strictObject({ email: EMAIL }),
  output: OPERATOR,
  words: { about: "Let a person who has an account do what an operator may." },
  async run({ services }, { email }) {
    const added = await services.identity.operators.add(email);
    if (added.outcome === "not_found")
      throw new Refused({ code: "not_found", message: `Nobody has the address ${email}.`, what: "person" });
    if (added.outcome !== "ok") throw refused(added, "person", {});
    return {
      output: operatorOf(added.operator),
      changed: added.isNew ? ofOperator(added.operator, "after") : null,
    };
  },
});

const listOperators = defineOperation({
  name: "operator.list",
  area: "system",
  access: "read",
  place: "installation",
  who: "operator",
  rest: ["GET /operators"],
  input: z.strictObject({}),
  output: z.object({ operators: z.array(OPERATOR), count: z.int() }).meta({ id: "Operators" }),
  words: { about: "List the people who are operators." },
  async run({ services }) {
    const operators = (await services.identity.operators.list()).map(operatorOf);
    return { operators, count: operators.length };
  },
});

const removeOperator = defineOperation({
  name: "operator.remove",
  area: "system",
  access: "write",
  place: "installation",
  who: "operator",
  rest: ["DELETE /operators"],
  input: z.strictObject({ email: EMAIL }),
  output: OPERATOR,
  words: { about: "Make a person no operator any more; their account stays." },
  async run({ services }, { email }) {
    const removed = await services.identity.operators.remove(email);
    if (removed.outcome !== "ok") throw refused(removed, "operator", {});
    return { output: operatorOf(removed.operator), changed: ofOperator(removed.operator, "before") };
  },
});

export const OPERATOR_OPERATIONS = [
  createManagementKey,
  listManagementKeys,
  revokeManagementKey,
  addOperator,
  listOperators,
  removeOperator,
] as const;
