import { API_VERSION } from "../reply.ts";

/** Headers of an HTML page; `policy` is its content security policy. */
export function pageHeaders(requestId: string, policy: string): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "x-request-id": requestId,
    "x-api-version": API_VERSION,
    "cache-control": "no-store",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
  };
}

/** 128 random bits, new for every page that is sent. */
export function newNonce(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
}
