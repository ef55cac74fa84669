import { randomBytes } from "node:crypto";
import { sign, verifySignature } from "../kit/index.ts";

const PURPOSE = "lease";

/**
 * Shows that this process has a lease, to whoever can read the leases and to nobody else: without its id a proof is
 * noise, and no two of one process look alike, so a stranger cannot even tell processes apart.
 */
export function proveLease(processId: string, challenge: string): string {
  const salt = randomBytes(16).toString("hex");
  return `${salt}.${sign(processId, PURPOSE, `${challenge}.${salt}`)}`;
}

/** Whether one of these processes made the proof, for this challenge. */
export function isProvenByAny(
  processIds: readonly string[],
  { challenge, proof }: { readonly challenge: string; readonly proof: string },
): boolean {
  const [salt = "", signature = ""] = proof.split(".");
  const payload = `${challenge}.${salt}`;
  return processIds.some((secret) => verifySignature({ secret, purpose: PURPOSE, payload, signature }));
}
