import type { Database } from "../db/index.ts";
import type { Epoch } from "../ledger/index.ts";
import type { AdmissionCall, Decision } from "./call.ts";
import { admitOne, isPlain } from "./lone-store.ts";
import { admitAll } from "./store.ts";

/**
 * Decides calls that arrived together in one transaction. A lone plain call tries the short function first, which can
 * only admit; every other outcome comes from the full one.
 */
export async function admitTogether(
  db: Database,
  epoch: Epoch,
  calls: readonly AdmissionCall[],
): Promise<readonly Decision[]> {
  const [lone] = calls;
  if (calls.length === 1 && lone !== undefined && isPlain(lone)) {
    const admitted = await admitOne(db, epoch, lone);
    if (admitted !== null) return [admitted];
  }
  return admitAll(db, epoch, calls, false);
}
