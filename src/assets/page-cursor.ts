import { parseUuid, sign, verifySignature } from "../kit/index.ts";
import type { AssetFilter } from "./asset.ts";
import type { PagePlace } from "./store.ts";

const PURPOSE = "asset_cursor";
/** Far beyond any of ours; longer text is not even looked at. */
const MAX_CHARACTERS = 300;
const MICROSECONDS = /^\d{1,17}$/;

/** Places in the list as text that only we can write, good for one organization and one filter. */
type PageCursors = {
  encode(orgId: string, filter: AssetFilter, place: PagePlace): string;
  /** Null: not ours, altered, or somebody else's. */
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
      // The decoder passes over what it does not know, and then two texts would be one cursor.
      if (bytes.toString("base64url") !== cursor) return null;
      const [createdUs = "", id = "", signature = ""] = bytes.toString().split(".");
      const payload = signed(orgId, filter, `${createdUs}.${id}`);
      if (!verifySignature({ secret, purpose: PURPOSE, payload, signature })) return null;
      const parsed = parseUuid(id);
      return MICROSECONDS.test(createdUs) && parsed !== undefined ? { createdUs, id: parsed } : null;
    },
  };
}
