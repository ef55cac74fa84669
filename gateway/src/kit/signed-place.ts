import { sign, verifySignature } from "./hash.ts";

/** Much longer than any of ours; longer text is not even parsed. */
const MAX_CHARACTERS = 300;

/** Where a page of a list ends, as text for a client: opaque, and valid only for the same `owner`. */
export type SignedPlaces = {
  encode(owner: readonly unknown[], place: string): string;
  /** Null if it is not ours, was altered, or is of another owner. */
  decode(owner: readonly unknown[], cursor: string): string | null;
};

/** `owner`: the organization, the filter, and whatever else a cursor is bound to. */
export function createSignedPlaces(secret: string, purpose: string): SignedPlaces {
  const signed = (owner: readonly unknown[], place: string) => JSON.stringify([...owner, place]);
  return {
    encode(owner, place) {
      return Buffer.from(`${place}.${sign(secret, purpose, signed(owner, place))}`).toString("base64url");
    },
    decode(owner, cursor) {
      if (cursor.length > MAX_CHARACTERS) return null;
      const bytes = Buffer.from(cursor, "base64url");
      // The decoder skips invalid characters; without this check several texts would be the same cursor.
      if (bytes.toString("base64url") !== cursor) return null;
      const text = bytes.toString();
      const end = Math.max(text.lastIndexOf("."), 0);
      const [place, signature] = [text.slice(0, end), text.slice(end + 1)];
      return verifySignature({ secret, purpose, payload: signed(owner, place), signature }) ? place : null;
    },
  };
}
