import { randomInt } from "node:crypto";
import { assert } from "../../kit/index.ts";

declare const keySecretBrand: unique symbol;

/** A well-formed key: right prefix, length, characters and checksum. Says nothing of whether it is known. */
export type KeySecret = string & { readonly [keySecretBrand]: true };

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS = 37;
const CHECKSUM_CHARS = 6;
const BODY = /^[0-9A-Za-z]{43}$/;
const PREFIX = /^[0-9A-Za-z_]{1,32}$/;

export type KeyCodec = {
  /** Length of every key, so that a reader can refuse by length before it looks at anything. */
  readonly keyChars: number;
  mint(): KeySecret;
  /** Pure; never throws. Length is checked first: a megabyte of text costs what nine characters cost. */
  parseKey(text: string): KeySecret | undefined;
};

/** `prefix` + 37 random characters + CRC-32 of both in base62, so that a typo needs no database. */
export function createKeyCodec(prefix: string): KeyCodec {
  assert(PREFIX.test(prefix), `not a key prefix: ${prefix}`);
  const checksumAt = prefix.length + RANDOM_CHARS;
  const keyChars = checksumAt + CHECKSUM_CHARS;

  return {
    keyChars,
    mint() {
      let unchecked = prefix;
      for (let i = 0; i < RANDOM_CHARS; i++) unchecked += ALPHABET[randomInt(ALPHABET.length)];
      return (unchecked + checksum(unchecked)) as KeySecret;
    },
    parseKey(text) {
      if (text.length !== keyChars) return undefined;
      if (!text.startsWith(prefix) || !BODY.test(text.slice(prefix.length))) return undefined;
      return checksum(text.slice(0, checksumAt)) === text.slice(checksumAt) ? (text as KeySecret) : undefined;
    },
  };
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let encoded = "";
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    encoded = ALPHABET[rest % ALPHABET.length] + encoded;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return encoded;
}
