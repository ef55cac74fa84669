import type { Database } from "../../db/index.ts";
import { newId, parseUuid, sha256 } from "../../kit/index.ts";
import { readBearer } from "../authentication/bearer.ts";
import { parseDisplayText } from "../display-text.ts";
import type { KeyCodec } from "../keys/key-codec.ts";
import { MAX_EXPIRY_MS } from "../keys/mint-request.ts";
import { isAhead } from "../keys/store.ts";
import { type Invalid, refuse } from "../refusal.ts";
import { MANAGEMENT_SCOPES } from "./management-scopes.ts";
import {
  countActiveManagementKeys,
  insertManagementKey,
  loadManagementKeyByHash,
  loadManagementKeys,
  lockActiveManagementKey,
  type ManagementKey,
  saveManagementRevocation,
  saveManagementUse,
} from "./store.ts";

export type { ManagementKey } from "./store.ts";

/** Null: the operator's own keys. */
type Place = { readonly organizationId: string | null };

type ManagementAuthentication =
  | { readonly outcome: "ok"; readonly key: ManagementKey }
  | { readonly outcome: "unauthorized" }
  | { readonly outcome: "key_not_found" }
  | { readonly outcome: "invalid_key"; readonly fault: "malformed" | "revoked" | "expired" };

export type ManagementKeys = {
  /** Asks the database each time, so a revocation holds at once. */
  authenticate(authorizationHeader: string | null): Promise<ManagementAuthentication>;
  /** For a change: the key cannot be revoked until its transaction ends. Undefined if it no longer works. */
  lock(id: string): Promise<ManagementKey | undefined>;
  mint(
    input: Place & {
      readonly name: string;
      /** `system` is only for the operator's own. */
      readonly scopes: readonly string[];
      readonly expiresInMs: number | null;
      readonly expiresAt: Date | null;
      readonly mintedBy: string | null;
    },
  ): Promise<
    | { readonly outcome: "ok"; readonly key: ManagementKey; readonly secret: string }
    | { readonly outcome: "too_many_keys" }
    | Invalid
  >;
  list(place: Place): Promise<ManagementKey[]>;
  revoke(
    key: Place & { readonly keyId: string },
  ): Promise<{ readonly outcome: "ok"; readonly key: ManagementKey } | { readonly outcome: "not_found" }>;
};

const MAX_NAME_CHARS = 100;
const MAX_ACTIVE = 100;
const MAX_LISTED = 1_000;

export function createManagementKeys({ db, codec }: { db: Database; codec: KeyCodec }): ManagementKeys {
  return {
    async authenticate(header) {
      const bearer = readBearer(header, codec);
      if (bearer.outcome !== "ok") return bearer;
      const key = await loadManagementKeyByHash(db.pool, sha256(bearer.secret));
      if (!key) return { outcome: "key_not_found" };
      if (key.state !== "active") return { outcome: "invalid_key", fault: key.state };
      await saveManagementUse(db.pool, key.id);
      return { outcome: "ok", key };
    },
    lock: (id) => lockActiveManagementKey(db.pool, id),
    async mint({ organizationId, scopes, expiresInMs, expiresAt, mintedBy, ...given }) {
      const name = parseDisplayText({ field: "name", text: given.name, maxChars: MAX_NAME_CHARS });
      if (name.outcome === "invalid") return name;
      const offered = MANAGEMENT_SCOPES.filter((scope) => scope !== "system" || organizationId === null);
      const known = offered.filter((scope) => scopes.includes(scope));
      if (known.length === 0 || known.length < new Set(scopes).size)
        return refuse("scopes", `one or more of ${offered.join(", ")}`);
      if (expiresInMs !== null && !(expiresInMs >= 1 && expiresInMs <= MAX_EXPIRY_MS))
        return refuse("expires_in", "a time ahead, at most ten years");
      if (expiresAt !== null && !(await isAhead(db.pool, expiresAt, MAX_EXPIRY_MS)))
        return refuse("expires_at", "a moment in the future, at most ten years ahead");
      if ((await countActiveManagementKeys(db.pool, organizationId)) >= MAX_ACTIVE)
        return { outcome: "too_many_keys" };
      const secret = codec.mint();
      const key = await insertManagementKey(db.pool, {
        id: newId(),
        organizationId,
        name: name.text,
        scopes: known,
        lastFour: secret.slice(-4),
        secretHash: sha256(secret),
        expiresInMs,
        expiresAt,
        mintedBy,
      });
      return { outcome: "ok", key, secret };
    },
    list: ({ organizationId }) => loadManagementKeys(db.pool, organizationId, MAX_LISTED),
    async revoke({ organizationId, keyId }) {
      const id = parseUuid(keyId);
      const key =
        id === undefined ? undefined : await saveManagementRevocation(db.pool, { organizationId, id });
      return key ? { outcome: "ok", key } : { outcome: "not_found" };
    },
  };
}
