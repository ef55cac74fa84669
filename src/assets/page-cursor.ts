import { parseUuid, sign, verifySignature } from "../kit/index.ts";
import type { AssetFilter } from "./asset.ts";
import type { PagePlace } from "./store.ts";

const PURPOSE = "asset_cursor";
/** Much longer than any of ours; longer text is not even parsed. */
const MAX_CHARACTERS = 300;
const MICROSECONDS = /^\d{1,17}$/;

/** Positions in the list as signed text, valid for one organization and one filter. */
type PageCursors = {
  encode(orgId: string, filter: AssetFilter, place: PagePlace): string;
  /** Null if it is not ours, was altered, or belongs to another organization or filter. */
  decode(orgId: string, filter: AssetFilter, cursor: string): PagePlace | null;
};

export function createPageCursors(secret: string): PageCursors {
  const signed = (orgId: string, filter: AssetFilter, place: string) =>
    JSON.stringify([orgId, filter.type ?? null, filter.memberUserId ?? null, filter.model ?? null, place]);
  return {
    encode(orgId, filter, place) {
      const text = `${place.createdUs}.${place.id}`;
      return Buffer.from(`${text}.${sign(secret, PURPOSE, signed(orgId, filter, text))}`).toString(
        "base64url",
      );
    },
    decode(orgId, filter, cursor) {
      if (cursor.length > MAX_CHARACTERS) return null;
      const bytes = Buffer.from(cursor, "base64url");
      // The decoder skips invalid characters; without this check several texts would be the same cursor.
      if (bytes.toString("base64url") !== cursor) return null;
      const [createdUs = "", id = "", signature = ""] = bytes.toString().split(".");
      const payload = signed(orgId, filter, `${createdUs}.${id}`);
      if (!verifySignature({ secret, purpose: PURPOSE, payload, signature })) return null;
      const parsed = parseUuid(id);
      return MICROSECONDS.test(createdUs) && parsed !== undefined ? { createdUs, id: parsed } : null;
    },
  };
}
