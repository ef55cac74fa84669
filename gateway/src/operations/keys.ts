import { z } from "zod";
import { type ApiKey, MAX_DISCARDED_KEYS, MAX_GRACE_MS, MAX_LIVE_KEYS, SCOPES } from "../identity/index.ts";
import { DAY_MS } from "../kit/index.ts";
import { duration, durationMs, endOf, moment } from "./input-fields.ts";
import { type ActIn, type Change, defineOperation } from "./operation.ts";
import { conflict, notTaken, refused } from "./problem.ts";

const SPEND_DAYS = 30;
const STATES = { live: "active", expired: "expired", revoked: "revoked" } as const;
const MOST_LIMIT = 1_000_000;
const ID = z.string().describe("the key's id");
const time = z.string().describe("ISO 8601, UTC");

export const KEY = z
  .object({
    id: z.string(),
    orgId: z.string(),
    name: z.string(),
    lastFour: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    requestsPerMinute: z.int().nullable(),
    inFlight: z.int().nullable(),
    expiresAt: time.nullable(),
    revokedAt: time.nullable(),
    createdAt: time,
    lastUsedAt: time.nullable(),
    state: z.enum(["active", "expired", "revoked"]),
    mintedBy: z.string().nullable(),
    credits: z.int().describe("spent in the last 30 days"),
    requests: z.int().describe("in the last 30 days"),
    graceEndsAt: time.nullable().describe("until when the previous secret still works"),
  })
  .meta({ id: "ApiKey" });
const MINTED = KEY.extend({ key: z.string().describe("the secret: shown once and never again") }).meta({
  id: "MintedApiKey",
});

async function viewsOf(act: ActIn, keys: readonly ApiKey[]): Promise<z.input<typeof KEY>[]> {
  const { identity, usage } = act.services;
  const orgId = act.organization.id;
  const standings = await identity.keys.standings(orgId);
  const names = await identity.people.namesOf([...new Set(keys.flatMap(({ mintedBy }) => mintedBy ?? []))]);
  const spendOf = await usage.spendOfKeys(orgId, { days: SPEND_DAYS, keyIds: keys.map(({ id }) => id) });
  return keys.map((key) => {
    const [standing, spend] = [standings.get(key.id), spendOf.get(key.id)];
    return {
      id: key.id,
      orgId,
      name: key.name,
      lastFour: key.lastFour,
      scopes: [...key.scopes],
      requestsPerMinute: key.limits.requestsPerMinute,
      inFlight: key.limits.inFlight,
      expiresAt: key.expiresAt?.toISOString() ?? null,
      revokedAt: key.revokedAt?.toISOString() ?? null,
      createdAt: key.createdAt.toISOString(),
      lastUsedAt: (spend?.lastUsedAt ?? key.lastUsedAt)?.toISOString() ?? null,
      state: STATES[standing?.state ?? "live"],
      mintedBy: key.mintedBy === null ? null : (names.get(key.mintedBy) ?? null),
      credits: spend?.credits ?? 0,
      requests: spend?.requests ?? 0,
      graceEndsAt: standing?.graceEndsAt?.toISOString() ?? null,
    };
  });
}

async function viewOf(act: ActIn, key: ApiKey): Promise<z.input<typeof KEY>> {
  const [view] = await viewsOf(act, [key]);
  return view as z.input<typeof KEY>;
}

/** The only moment at which the secret is known. */
async function mintedOf(act: ActIn, { key, secret }: { key: ApiKey; secret: string }) {
  const { id, ...rest } = await viewOf(act, key);
  return { id, key: secret, ...rest };
}

function factsOf(key: ApiKey) {
  return {
    name: key.name,
    scopes: key.scopes,
    requestsPerMinute: key.limits.requestsPerMinute,
    inFlight: key.limits.inFlight,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}

function changeOf(key: ApiKey, facts: Pick<Change, "before" | "after">): Change {
  return { object: { kind: "key", id: key.id, name: key.name }, ...facts };
}

const listKeys = defineOperation({
  name: "key.list",
  area: "keys",
  access: "read",
  place: "organization",
  who: "admin",
  rest: ["GET /organizations/{org}/keys"],
  input: z.strictObject({}),
  output: z.object({ keys: z.array(KEY), count: z.int() }).meta({ id: "ApiKeys" }),
  words: { about: "List an organization's API keys." },
  async run(act) {
    const keys = await viewsOf(act, await act.services.identity.keys.list(act.organization.id));
    return { keys, count: keys.length };
  },
});

const createKey = defineOperation({
  name: "key.create",
  area: "keys",
  access: "write",
  place: "organization",
  who: "admin",
  rest: ["POST /organizations/{org}/keys"],
  input: z.strictObject({
    name: z.string().describe("what it is for"),
    scopes: z
      .array(z.enum(SCOPES))
      .max(20)
      .optional()
      .describe(`some of ${SCOPES.join(", ")} (default: all)`),
    expiresIn: duration.optional().describe("such as 30d or 12h (default: never)"),
    expiresAt: moment.optional().describe("such as 2027-01-31T12:00:00Z"),
    requestsPerMinute: z
      .int()
      .min(1)
      .max(MOST_LIMIT)
      .optional()
      .describe("requests per minute for this key, within the plan's limit (default: the plan's)"),
    inFlight: z
      .int()
      .min(1)
      .max(MOST_LIMIT)
      .optional()
      .describe("concurrent calls for this key, within the plan's limit (default: the plan's)"),
  }),
  output: MINTED,
  words: { about: "Create an API key. It is shown only once." },
  async run(act, { expiresIn, expiresAt, scopes = [...SCOPES], ...wanted }) {
    const minted = await act.services.identity.keys.mint({
      organizationId: act.organization.id,
      actor: act.actor,
      scopes,
      ...endOf({ expiresIn, expiresAt }),
      ...wanted,
    });
    if (minted.outcome !== "ok")
      throw refused(minted, "organization", {
        too_many_keys: conflict(
          `There are already ${MAX_LIVE_KEYS.toLocaleString("en")} active keys. Revoke some that nobody needs.`,
        ),
        too_many_discarded: conflict(
          `${MAX_DISCARDED_KEYS} keys created within the last day are already revoked or expired. Try again tomorrow, or replace the secret of another key.`,
        ),
      });
    return {
      output: await mintedOf(act, minted),
      changed: changeOf(minted.key, { before: null, after: factsOf(minted.key) }),
    };
  },
});

const NOT_LIVE = (state: string) =>
  conflict(`This key ${state}, so it has no secret to replace. Create a new key.`);

const rotateKey = defineOperation({
  name: "key.rotate",
  area: "keys",
  access: "write",
  place: "organization",
  who: "admin",
  rest: ["POST /organizations/{org}/keys/{id}/rotate"],
  input: z.strictObject({
    id: ID,
    grace: duration
      .optional()
      .describe("how long the old secret still works, such as 12h or 0h (default: 24h)"),
  }),
  output: MINTED,
  words: {
    about: "Give a key a new secret; its id stays.",
    notes: "The old secret keeps working for the grace period, so that you have time to update callers.",
  },
  async run(act, { id, grace }) {
    const graceMs = grace === undefined ? DAY_MS : (durationMs(grace) ?? 0);
    if (graceMs > MAX_GRACE_MS) throw notTaken("grace", "0 to 30 days");
    const place = { organizationId: act.organization.id, actor: act.actor };
    const rotated = await act.services.identity.keys.rotate({ ...place, keyId: id, graceMs });
    if (rotated.outcome !== "ok")
      throw refused(rotated, "key", { revoked: NOT_LIVE("is revoked"), expired: NOT_LIVE("has expired") });
    const after = { grace: grace ?? "24h" };
    return { output: await mintedOf(act, rotated), changed: changeOf(rotated.key, { before: null, after }) };
  },
});

const revokeKey = defineOperation({
  name: "key.revoke",
  area: "keys",
  access: "write",
  place: "organization",
  who: "admin",
  rest: ["DELETE /organizations/{org}/keys/{id}"],
  input: z.strictObject({ id: ID }),
  output: KEY,
  words: { about: "Revoke a key at once, everywhere.", notes: "Calls in progress finish." },
  async run(act, { id }) {
    const { keys } = act.services.identity;
    const before = await keys.find(id);
    const revoked = await keys.revoke({ organizationId: act.organization.id, keyId: id, actor: act.actor });
    if (revoked.outcome !== "ok") throw refused(revoked, "key", {});
    const isNew = before?.revokedAt === null;
    return {
      output: await viewOf(act, revoked.key),
      changed: isNew ? changeOf(revoked.key, { before: factsOf(revoked.key), after: null }) : null,
    };
  },
});

export const KEY_OPERATIONS = [listKeys, createKey, rotateKey, revokeKey] as const;
