import { createSignedPlaces, parseUuid } from "../kit/index.ts";
import type { AssetFilter } from "./asset.ts";
import type { PagePlace } from "./store.ts";

const MICROSECONDS = /^\d{1,17}$/;

/** Positions in the list as signed text, valid for one organization and one filter. */
type PageCursors = {
  encode(orgId: string, filter: AssetFilter, place: PagePlace): string;
  /** Null if it is not ours, was altered, or belongs to another organization or filter. */
  decode(orgId: string, filter: AssetFilter, cursor: string): PagePlace | null;
};

export function createPageCursors(secret: string): PageCursors {
  const places = createSignedPlaces(secret, "asset_cursor");
  return {
    encode: (orgId, filter, { createdUs, id }) => places.encode(ownerOf(orgId, filter), `${createdUs}.${id}`),
    decode(orgId, filter, cursor) {
      const [createdUs = "", id = ""] = places.decode(ownerOf(orgId, filter), cursor)?.split(".") ?? [];
      const parsed = parseUuid(id);
      return MICROSECONDS.test(createdUs) && parsed !== undefined ? { createdUs, id: parsed } : null;
    },
  };
}

/** Without days it is that of the previous version, whose cursors stay valid during a rolling upgrade. */
function ownerOf(orgId: string, { type, memberUserId, model, from, to }: AssetFilter): unknown[] {
  const owner = [orgId, type ?? null, memberUserId ?? null, model ?? null];
  return from === undefined && to === undefined ? owner : [...owner, from ?? null, to ?? null];
}
