import type pg from "pg";
import { type Clock, overloaded, sha256Hex } from "../../kit/index.ts";
import type { KeyCodec } from "../keys/key-codec.ts";
import type { LastUsed } from "../keys/last-used.ts";
import type { Principal } from "../principal.ts";
import { readBearer } from "./bearer.ts";
import { databaseUnreachable } from "./database-unreachable.ts";
import type { Freshness } from "./freshness.ts";
import type { OrganizationCache } from "./organization-cache.ts";
import { loadKeyByHash } from "./store.ts";

type Authenticated = { readonly outcome: "ok"; readonly principal: Principal };

/** `invalid_key`: malformed, revoked or expired. `key_not_found`: well formed, but it belongs to nobody. */
export type Authentication =
  | Authenticated
  | { readonly outcome: "unauthorized" }
  | { readonly outcome: "invalid_key"; readonly fault: "malformed" | "revoked" | "expired" }
  | { readonly outcome: "key_not_found" };

export type RememberedKey = { readonly answer: Authenticated; readonly expiresAtMs: number };

export type Authenticator = {
  /** Answers at once from memory if that can be trusted, else asks the database. */
  authenticate(authorizationHeader: string | null): Authentication | Promise<Authentication>;
};

const KEY_NOT_FOUND: Authentication = { outcome: "key_not_found" };

/** How many different keys may be looked up at once; one more gets a 503. */
const MAX_LOOKUPS = 5_000;
/**
 * Callers share a lookup only while it is younger than this, so that its answer cannot be much older than a revocation.
 */
const SHARE_MS = 200;

export function createAuthenticator(deps: {
  pool: pg.Pool;
  codec: KeyCodec;
  cache: OrganizationCache<RememberedKey>;
  freshness: Freshness;
  lastUsed: LastUsed;
  clock: Clock;
}): Authenticator {
  const { pool, codec, cache, freshness, lastUsed, clock } = deps;
  const lookups = new Map<string, { startedMs: number; answer: Promise<Authentication> }>();

  function remembered(hash: string): Authenticated | undefined {
    if (!freshness.trusted()) return undefined;
    const known = cache.get(hash);
    // An expired key goes to the database like any other dead key, so that its answer takes as long.
    if (known === undefined || known.expiresAtMs <= freshness.databaseNowMs()) return undefined;
    lastUsed.record(known.answer.principal.keyId);
    return known.answer;
  }

  async function lookUp(hash: string): Promise<Authentication> {
    const loaded = await loadKeyByHash(pool, Buffer.from(hash, "hex")).catch((error) => {
      throw databaseUnreachable(error);
    });
    if (loaded.outcome === "unknown") return KEY_NOT_FOUND;
    if (loaded.outcome === "dead") return { outcome: "invalid_key", fault: loaded.fault };
    const answer: Authenticated = { outcome: "ok", principal: loaded.principal };
    // If the row was read before a change that we already know of, it is good for this answer only and not remembered.
    if (loaded.version >= freshness.version) {
      const organizationId = loaded.principal.organization.id;
      cache.set({ organizationId, key: hash, value: { answer, expiresAtMs: loaded.expiresAtMs } });
    }
    lastUsed.record(loaded.principal.keyId);
    return answer;
  }

  function shareLookUp(hash: string): Promise<Authentication> {
    const nowMs = clock.elapsedMs();
    const running = lookups.get(hash);
    if (running && nowMs - running.startedMs < SHARE_MS) return running.answer;
    if (lookups.size >= MAX_LOOKUPS) {
      return Promise.reject(overloaded("too many key look-ups at once"));
    }
    const lookup = { startedMs: nowMs, answer: lookUp(hash) };
    lookups.set(hash, lookup);
    const leave = () => {
      if (lookups.get(hash) === lookup) lookups.delete(hash);
    };
    lookup.answer.then(leave, leave);
    return lookup.answer;
  }

  return {
    authenticate(header) {
      const bearer = readBearer(header, codec);
      if (bearer.outcome !== "ok") return bearer;
      const hash = sha256Hex(bearer.secret);
      return remembered(hash) ?? shareLookUp(hash);
    },
  };
}
