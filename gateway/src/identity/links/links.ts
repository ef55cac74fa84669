import type { Database } from "../../db/index.ts";
import { DAY_MS, parseUuid, sha256Hex } from "../../kit/index.ts";
import { isOneTimeToken, newOneTimeToken } from "../one-time-token.ts";
import type { Queryable } from "../organizations/store.ts";
import { saveProof } from "../proof-store.ts";
import { transact } from "../transaction.ts";
import { deleteLinks, loadLink, lockUser, saveLink, takeLink } from "./store.ts";

const LINK_PURPOSES = ["set-password", "sign-in"] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A link that opens an account once. Only the token's hash is stored: a dump of the database opens nothing. */
export type OneTimeLink = {
  readonly token: string;
  readonly userId: string;
  readonly purpose: LinkPurpose;
  readonly expiresAt: Date;
};

type RedeemedLink = { readonly userId: string; readonly purpose: LinkPurpose };

export type Links = {
  /** Invalidates the person's older links, whatever their purpose. */
  create(client: Queryable, link: { userId: string; purpose: LinkPurpose }): Promise<OneTimeLink>;
  /**
   * Null if the link is not live: unknown, used, expired or ended. If `client` is given, runs in its transaction, so
   * that the link is used up only if that commits. Links are handed out by the operator or sent by email, so using one
   * proves the address.
   */
  redeem(token: string, client?: Queryable): Promise<RedeemedLink | null>;
  /**
   * Ends all links of a person. Needed when they lock others out, by a new password or by signing out everywhere: an
   * old link would let those in again. Until `client`'s transaction ends, no link of this person can be created or
   * used.
   */
  end(client: Queryable, userId: string): Promise<void>;
};

const LIFETIME_MS = 3 * DAY_MS;

export function createLinks({ db }: { db: Database }): Links {
  async function end(client: Queryable, userId: string): Promise<void> {
    await lockUser(client, userId);
    await deleteLinksOf(client, userId);
  }

  return {
    end,
    async create(client, { userId, purpose }) {
      await end(client, userId);
      const token = newOneTimeToken();
      const expiresAt = await saveLink(client, {
        tokenHash: sha256Hex(token),
        value: storedValue({ userId, purpose }),
        lifetimeMs: LIFETIME_MS,
      });
      return { token, userId, purpose, expiresAt };
    },
    async redeem(token, outer) {
      if (!isOneTimeToken(token)) return null;
      const tokenHash = sha256Hex(token);
      return transact(db, outer, async (client) => {
        const link = readStored(await loadLink(client, tokenHash));
        if (!link || !(await lockUser(client, link.userId))) return null;
        if (!(await takeLink(client, tokenHash))) return null;
        await deleteLinksOf(client, link.userId);
        await saveProof(client, link.userId);
        return link;
      });
    },
  };
}

function deleteLinksOf(client: Queryable, userId: string): Promise<void> {
  return deleteLinks(
    client,
    LINK_PURPOSES.map((purpose) => storedValue({ userId, purpose })),
  );
}

function storedValue({ userId, purpose }: RedeemedLink): string {
  return `${purpose}:${userId}`;
}

function readStored(value = ""): RedeemedLink | null {
  const [purposeText, userIdText = ""] = value.split(":");
  const purpose = LINK_PURPOSES.find((known) => known === purposeText);
  const userId = parseUuid(userIdText);
  return purpose === undefined || userId === undefined ? null : { userId, purpose };
}
