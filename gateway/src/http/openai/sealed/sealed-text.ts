import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * A text that clients carry for us and can neither read nor change. Nothing is stored here: every node with the same
 * secret can open it. The same text and place give the same result, so that a repeated reply is equal to the first.
 */
export type SealedText = {
  /** Returns letters, digits, `-` and `_`, or null if the text is too long. Opens only with the same `place`. */
  seal(text: string, place: string): string | null;
  /** Null if it was not sealed here for this place, was changed, or exceeds the budget. Never throws. */
  open(sealed: string, place: string, budget: OpeningBudget): string | null;
};

/** How much one request may have opened: a body with the same seal ten thousand times must not delay other requests. */
export type OpeningBudget = { charactersLeft: number; failuresLeft: number };

/** More than any model reads. */
const MAX_OPENED_CHARACTERS = 4 << 20;
/** Opening something that is not a seal takes time; after this many failures, a request gets nothing more opened. */
const MAX_FAILURES = 64;

export function createOpeningBudget(): OpeningBudget {
  return { charactersLeft: MAX_OPENED_CHARACTERS, failuresLeft: MAX_FAILURES };
}

/** Length of a sealed empty text: nonce, tag and one byte. */
export const LEAST_SEALED_CHARACTERS = 39;

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Deflate saves nothing on less than this. */
const LEAST_COMPRESSED_BYTES = 96;
const PLAIN = 0;
const DEFLATED = 1;

export function createSealedText(input: {
  readonly secret: string;
  /** A seal of one purpose is never opened for another. */
  readonly purpose: string;
  readonly maxBytes: number;
}): SealedText {
  const { secret, purpose, maxBytes } = input;
  const keys = Buffer.from(hkdfSync("sha256", secret, "", `bursar ${purpose}`, 2 * KEY_BYTES));
  const key = keys.subarray(0, KEY_BYTES);
  const nonceKey = keys.subarray(KEY_BYTES);

  return {
    seal(text, place) {
      // A text never has fewer bytes than characters: the cheap check first.
      if (text.length > maxBytes) return null;
      const bytes = Buffer.from(text, "utf8");
      if (bytes.length > maxBytes) return null;
      const packed = pack(bytes);
      // Derived from the text and its place: a nonce repeats only if both are the same, and then the result is the same
      // too.
      const nonce = createHmac("sha256", nonceKey).update(`${place}\n`).update(packed).digest();
      const cipher = createCipheriv("aes-256-gcm", key, nonce.subarray(0, NONCE_BYTES));
      cipher.setAAD(Buffer.from(place, "utf8"));
      const body = Buffer.concat([cipher.update(packed), cipher.final()]);
      return Buffer.concat([nonce.subarray(0, NONCE_BYTES), cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed, place, budget) {
      if (
        budget.charactersLeft <= 0 ||
        budget.failuresLeft <= 0 ||
        sealed.length < LEAST_SEALED_CHARACTERS ||
        sealed.length > 2 * (maxBytes + LEAST_SEALED_CHARACTERS)
      ) {
        return null;
      }
      budget.charactersLeft -= sealed.length;
      try {
        const bytes = Buffer.from(sealed, "base64url");
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAAD(Buffer.from(place, "utf8"));
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const packed = Buffer.concat([
          decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
          decipher.final(),
        ]);
        const text = unpack(packed, maxBytes);
        budget.charactersLeft -= text.length;
        return text;
      } catch {
        budget.failuresLeft -= 1;
        return null;
      }
    },
  };
}

function pack(bytes: Buffer): Buffer {
  if (bytes.length >= LEAST_COMPRESSED_BYTES) {
    const deflated = deflateRawSync(bytes, { level: 4 });
    if (deflated.length < bytes.length) return Buffer.concat([Buffer.of(DEFLATED), deflated]);
  }
  return Buffer.concat([Buffer.of(PLAIN), bytes]);
}

function unpack(packed: Buffer, maxBytes: number): string {
  const body = packed.subarray(1);
  const bytes = packed[0] === DEFLATED ? inflateRawSync(body, { maxOutputLength: maxBytes }) : body;
  return bytes.toString("utf8");
}
