import { randomBytes } from "node:crypto";
import type { Database } from "../../db/index.ts";
import { DAY_MS, newId, parseUuid, sha256 } from "../../kit/index.ts";
import { administer, type Refusal } from "../organizations/in-organization.ts";
import { type Invalid, refuse } from "../refusal.ts";
import type { Actor } from "../role.ts";
import { SCOPES } from "../scopes.ts";
import type { KeyCodec } from "./key-codec.ts";
import { INTERNAL_NAME, MAX_EXPIRY_MS, type MintRequest, parseMintRequest } from "./mint-request.ts";
import {
  type ApiKey,
  countDiscardedKeys,
  countLiveKeys,
  insertKey,
  isAhead,
  type KeyStanding,
  loadInternalKey,
  loadKey,
  loadKeyStandings,
  loadKeyState,
  loadKeys,
  saveInternalKey,
  saveRevocation,
  saveRotation,
} from "./store.ts";

export type MintedKey = {
  readonly outcome: "ok";
  readonly key: ApiKey;
  /** Shown once; it cannot be recovered. */
  readonly secret: string;
};

type KeyReference = { organizationId: string; keyId: string; actor: Actor };

type Minted = MintedKey | Refusal | { readonly outcome: "too_many_keys" | "too_many_discarded" } | Invalid;
type Rotated = MintedKey | Refusal | { readonly outcome: "revoked" | "expired" } | Invalid;

export type Keys = {
  mint(request: MintRequest): Promise<Minted>;
  /** Newest first, including revoked ones. Beyond MAX_LISTED: all live keys, then the newest of the others. */
  list(organizationId: string): Promise<ApiKey[]>;
  /** For the same keys, by id: the current state, and how long the previous secret still works. */
  standings(organizationId: string): Promise<ReadonlyMap<string, KeyStanding>>;
  find(keyId: string): Promise<ApiKey | undefined>;
  /**
   * The key under which calls from the console run, created on first use. It has no secret, and people can neither see,
   * rotate nor revoke it. Undefined if there is no such organization.
   */
  internalOf(organizationId: string): Promise<ApiKey | undefined>;
  /** The id stays the same; the old secret works for the grace period, a day by default. */
  rotate(request: KeyReference & { graceMs?: number }): Promise<Rotated>;
  /** Idempotent. */
  revoke(reference: KeyReference): Promise<{ outcome: "ok"; key: ApiKey } | Refusal>;
};

const DEFAULT_GRACE_MS = DAY_MS;
export const MAX_GRACE_MS = 30 * DAY_MS;
export const MAX_LIVE_KEYS = 1_000;
/** Most dead keys created by people per day; the operator's programs may create as many as they need. */
export const MAX_DISCARDED_KEYS = 500;
const MAX_LISTED = 5_000;
const MAX_RETIRED_SECRETS = 20;
const HASH_BYTES = 32;

export function createKeys({ db, codec }: { db: Database; codec: KeyCodec }): Keys {
  function newSecret() {
    const secret = codec.mint();
    return { secret, secretHash: sha256(secret), lastFour: secret.slice(-4) };
  }

  return {
    async mint(request) {
      const parsed = parseMintRequest(request);
      if (parsed.outcome === "invalid") return parsed;
      const { secret, ...stored } = newSecret();
      const mintedBy = request.actor.kind === "person" ? request.actor.userId : null;
      const { organizationId } = request;
      return administer<Minted>({ db, organizationId, actor: request.actor }, async (client) => {
        if ((await countLiveKeys(client, organizationId)) >= MAX_LIVE_KEYS)
          return { outcome: "too_many_keys" };
        if (mintedBy !== null && (await countDiscardedKeys(client, organizationId)) >= MAX_DISCARDED_KEYS)
          return { outcome: "too_many_discarded" };
        const { expiresAt } = parsed.key;
        if (expiresAt !== null && !(await isAhead(client, expiresAt, MAX_EXPIRY_MS)))
          return refuse("expires_at", "a moment in the future, at most ten years ahead");
        const key = await insertKey(client, {
          id: newId(),
          organizationId,
          mintedBy,
          ...parsed.key,
          ...stored,
        });
        return { outcome: "ok", key, secret };
      });
    },
    async list(organizationId) {
      const id = parseUuid(organizationId);
      return id === undefined ? [] : loadKeys(db.pool, id, MAX_LISTED);
    },
    async standings(organizationId) {
      const id = parseUuid(organizationId);
      return id === undefined ? new Map() : loadKeyStandings(db.pool, id, MAX_LISTED);
    },
    async find(keyId) {
      const id = parseUuid(keyId);
      return id === undefined ? undefined : loadKey(db.pool, id);
    },
    async internalOf(organizationIdText) {
      const organizationId = parseUuid(organizationIdText);
      if (organizationId === undefined) return undefined;
      const known = await loadInternalKey(db.pool, organizationId);
      if (known) return known;
      await saveInternalKey(db.pool, {
        id: newId(),
        organizationId,
        name: INTERNAL_NAME,
        secretHash: randomBytes(HASH_BYTES),
        scopes: SCOPES,
      });
      return loadInternalKey(db.pool, organizationId);
    },
    async rotate({ organizationId, keyId: keyIdText, actor, graceMs = DEFAULT_GRACE_MS }) {
      if (!Number.isInteger(graceMs) || graceMs < 0 || graceMs > MAX_GRACE_MS)
        return refuse("grace", "0 to 30 days");
      const keyId = parseUuid(keyIdText);
      if (keyId === undefined) return { outcome: "not_found" };
      const { secret, ...stored } = newSecret();
      return administer<Rotated>({ db, organizationId, actor }, async (client) => {
        const state = await loadKeyState(client, { organizationId, keyId });
        if (state === undefined) return { outcome: "not_found" };
        if (state !== "live") return { outcome: state };
        const key = await saveRotation(client, {
          keyId,
          graceMs,
          maxRetired: MAX_RETIRED_SECRETS,
          ...stored,
        });
        return { outcome: "ok", key, secret };
      });
    },
    async revoke({ organizationId, keyId: keyIdText, actor }) {
      const keyId = parseUuid(keyIdText);
      if (keyId === undefined) return { outcome: "not_found" };
      return administer({ db, organizationId, actor }, async (client) => {
        const state = await loadKeyState(client, { organizationId, keyId });
        if (state === undefined) return { outcome: "not_found" };
        return { outcome: "ok", key: await saveRevocation(client, keyId) };
      });
    },
  };
}
