import type { Database } from "../../db/index.ts";
import { parseUuid, sha256Hex } from "../../kit/index.ts";
import { isOneTimeToken, newOneTimeToken } from "../one-time-token.ts";
import type { Queryable } from "../organizations/store.ts";
import { saveProof } from "../people/proof-store.ts";
import { transact } from "../transaction.ts";
import { saveLink, takeLink, userExists } from "./store.ts";

const LINK_PURPOSES = ["set-password", "sign-in"] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A way into an account, once. Only the token's hash is stored: a dump of the database opens nothing. */
export type OneTimeLink = {
  readonly token: string;
  readonly userId: string;
  readonly purpose: LinkPurpose;
  readonly expiresAt: Date;
};

export type RedeemedLink = { readonly userId: string; readonly purpose: LinkPurpose };

export type Links = {
  create(client: Queryable, link: { userId: string; purpose: LinkPurpose }): Promise<OneTimeLink>;
  /**
   * Null for whatever is not a live link: unknown, used, expired, voided by a newer one. In `client`'s transaction
   * where one is given: then it is used up when what it is for is done. Links are handed out by the operator or mailed,
   * so whoever comes with one has proved the address.
   */
  redeem(token: string, client?: Queryable): Promise<RedeemedLink | null>;
};

const LIFETIME_MS = 72 * 60 * 60 * 1000;

export function createLinks({ db }: { db: Database }): Links {
  return {
    async create(client, { userId, purpose }) {
      const token = newOneTimeToken();
      const expiresAt = await saveLink(client, {
        tokenHash: sha256Hex(token),
        value: `${purpose}:${userId}`,
        lifetimeMs: LIFETIME_MS,
      });
      return { token, userId, purpose, expiresAt };
    },
    async redeem(token, outer) {
      if (!isOneTimeToken(token)) return null;
      return transact(db, outer, async (client) => {
        const value = await takeLink(client, sha256Hex(token));
        const [purposeText, userIdText = ""] = (value ?? "").split(":");
        const purpose = LINK_PURPOSES.find((known) => known === purposeText);
        const userId = parseUuid(userIdText);
        if (purpose === undefined || userId === undefined) return null;
        if (!(await userExists(client, userId))) return null;
        await saveProof(client, userId);
        return { userId, purpose };
      });
    },
  };
}
