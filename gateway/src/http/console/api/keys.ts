import { z } from "zod";
import {
  MAX_DISCARDED_KEYS,
  MAX_GRACE_MS,
  MAX_LIVE_KEYS,
  type MintedKey,
  SCOPES,
} from "../../../identity/index.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/index.ts";
import type { KeyRow, MintedKeyView } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Command, Query } from "./operation.ts";
import { conflict } from "./problem.ts";
import { refused } from "./refused.ts";

const SPEND_DAYS = 30;
const MAX_GRACE_HOURS = MAX_GRACE_MS / HOUR_MS;
const STATES = { live: "active", expired: "expired", revoked: "revoked" } as const;

const NOT_MINTED = {
  too_many_keys: conflict(
    `There are already ${MAX_LIVE_KEYS.toLocaleString("en")} active keys. Revoke some that nobody needs.`,
  ),
  too_many_discarded: conflict(
    `${MAX_DISCARDED_KEYS} keys created within the last day are already revoked or expired. Try again tomorrow, or replace the secret of another key.`,
  ),
};
const NOT_ROTATED = {
  revoked: conflict("This key is revoked, so it has no secret to replace. Create a new key."),
  expired: conflict("This key has expired, so it has no secret to replace. Create a new key."),
};
const SCOPE = z.enum(SCOPES);

/** Every key with what it spent; secrets cannot be retrieved. */
export function keysQuery({ identity, usage }: ConsoleParts): Query<"keys"> {
  return {
    who: "admin",
    input: z.strictObject({}),
    async run({ viewer: { organization } }): Promise<KeyRow[]> {
      const [keys, standings] = await Promise.all([
        identity.keys.list(organization.id),
        identity.keys.standings(organization.id),
      ]);
      const minters = keys.flatMap(({ mintedBy }) => mintedBy ?? []);
      const [names, spendOf] = await Promise.all([
        identity.people.namesOf([...new Set(minters)]),
        usage.spendOfKeys(organization.id, { days: SPEND_DAYS, keyIds: keys.map(({ id }) => id) }),
      ]);
      return keys.map((key) => {
        const [standing, spend] = [standings.get(key.id), spendOf.get(key.id)];
        return {
          id: key.id,
          name: key.name,
          lastFour: key.lastFour,
          scopes: key.scopes,
          state: STATES[standing?.state ?? "live"],
          createdAt: key.createdAt.toISOString(),
          mintedBy: key.mintedBy === null ? null : (names.get(key.mintedBy) ?? null),
          expiresAt: key.expiresAt?.toISOString() ?? null,
          lastUsedAt: (spend?.lastUsedAt ?? key.lastUsedAt)?.toISOString() ?? null,
          requestsPerMinute: key.limits.requestsPerMinute,
          inFlight: key.limits.inFlight,
          credits: spend?.credits ?? 0,
          requests: spend?.requests ?? 0,
          graceEndsAt: standing?.graceEndsAt?.toISOString() ?? null,
        };
      });
    },
  };
}

export function mintKeyCommand({ identity, log }: ConsoleParts): Command<"mint-key"> {
  return {
    who: "admin",
    input: z.strictObject({
      name: z.string(),
      scopes: z.array(SCOPE).max(20),
      expiresInDays: z.int().optional(),
      requestsPerMinute: z.int().optional(),
      inFlight: z.int().optional(),
    }),
    async run({ by, signedIn, viewer: { organization } }, { expiresInDays, ...wanted }) {
      const minted = await identity.keys.mint({
        ...wanted,
        ...by,
        expiresInMs: expiresInDays === undefined ? null : expiresInDays * DAY_MS,
      });
      if (minted.outcome !== "ok") throw refused(minted, "organization", NOT_MINTED);
      const key_id = minted.key.id;
      log.info("console_key_minted", { org_id: organization.id, user_id: signedIn.userId, key_id });
      return viewOf(minted);
    },
  };
}

export function rotateKeyCommand({ identity, log }: ConsoleParts): Command<"rotate-key"> {
  return {
    who: "admin",
    input: z.strictObject({ id: z.string(), graceHours: z.int().min(0).max(MAX_GRACE_HOURS) }),
    async run({ by, signedIn, viewer: { organization } }, { id, graceHours }) {
      const rotated = await identity.keys.rotate({ ...by, keyId: id, graceMs: graceHours * HOUR_MS });
      if (rotated.outcome !== "ok") throw refused(rotated, "key", NOT_ROTATED);
      log.info("console_key_rotated", { org_id: organization.id, user_id: signedIn.userId, key_id: id });
      return viewOf(rotated);
    },
  };
}

export function revokeKeyCommand({ identity, log }: ConsoleParts): Command<"revoke-key"> {
  return {
    who: "admin",
    input: z.strictObject({ id: z.string() }),
    async run({ by, signedIn, viewer: { organization } }, { id }) {
      const revoked = await identity.keys.revoke({ ...by, keyId: id });
      if (revoked.outcome !== "ok") throw refused(revoked, "key", {});
      log.info("console_key_revoked", { org_id: organization.id, user_id: signedIn.userId, key_id: id });
      return {};
    },
  };
}

/** The only moment at which the secret is known. */
function viewOf({ key, secret }: MintedKey): MintedKeyView {
  return { id: key.id, name: key.name, secret };
}
