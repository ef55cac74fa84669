import { createHmac, hash, timingSafeEqual } from "node:crypto";

export function sha256(data: string | Uint8Array): Buffer {
  return hash("sha256", data, "buffer");
}

/** Every call needs one, and the runtime's own implementation takes half the time. */
export function sha256Hex(data: string | Uint8Array<ArrayBuffer>): string {
  return Bun.SHA256.hash(data, "hex");
}

/** Signs with a purpose mixed in, so that, for example, a signed cursor can never be used as a signed link. */
export function sign(secret: string, purpose: string, payload: string): string {
  return createHmac("sha256", secret).update(`${purpose}\n${payload}`).digest("base64url");
}

export function verifySignature(input: {
  secret: string;
  purpose: string;
  payload: string;
  signature: string;
}): boolean {
  const expected = Buffer.from(sign(input.secret, input.purpose, input.payload));
  const given = Buffer.from(input.signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
