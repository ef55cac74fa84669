import { randomBytes } from "node:crypto";
import { sign, verifySignature } from "../../kit/index.ts";

const PURPOSE = "lease";

/**
 * Proves that this process has a lease, but only to someone who can read the leases: without the process id a proof is
 * noise. The salt makes every proof different, so that an outsider cannot even tell processes apart.
 */
export function proveLease(processId: string, challenge: string): string {
  const salt = randomBytes(16).toString("hex");
  return `${salt}.${sign(processId, PURPOSE, `${challenge}.${salt}`)}`;
}

/** True if one of these processes made the proof for this challenge. */
export function isProvenByAny(
  processIds: readonly string[],
  { challenge, proof }: { readonly challenge: string; readonly proof: string },
): boolean {
  const [salt = "", signature = ""] = proof.split(".");
  const payload = `${challenge}.${salt}`;
  return processIds.some((secret) => verifySignature({ secret, purpose: PURPOSE, payload, signature }));
}
