import { randomInt } from "node:crypto";
import { assert } from "../../kit/index.ts";

declare const keySecretBrand: unique symbol;

/** A well-formed key: right prefix, length, characters and checksum. Says nothing about whether it exists. */
export type KeySecret = string & { readonly [keySecretBrand]: true };

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS = 37;
const CHECKSUM_CHARS = 6;
const BODY = /^[0-9A-Za-z]{43}$/;
const PREFIX = /^[0-9A-Za-z_]{1,32}$/;

export type KeyCodec = {
  /** Length of every key, so that text can be rejected by its length before anything else. */
  readonly keyChars: number;
  mint(): KeySecret;
  /** Pure; never throws. The length is checked first, so a megabyte of text costs no more than nine characters. */
  parseKey(text: string): KeySecret | undefined;
};

/** `prefix` + 37 random characters + CRC-32 of both in base62, so that a typo is detected without the database. */
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
