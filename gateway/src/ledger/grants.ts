import type { Database } from "../db/index.ts";
import { failpoint, newId } from "../kit/index.ts";
import {
  type Adjustment,
  type AdjustmentOutcome,
  type Grant,
  type GrantOutcome,
  type Renewal,
  type RenewalOutcome,
  saveAdjustment,
  saveGrant,
  saveRenewal,
} from "./store.ts";

export async function grant(db: Database, input: Grant): Promise<GrantOutcome> {
  const { id = newId() } = input;
  const saved = await saveGrant(db, { ...input, id });
  await failpoint("grant_after_commit");
  const isNew = saved.outcome === "granted";
  const isOwn = saved.outcome === "repeat" && saved.grantId === id;
  return { ...saved, outcome: isOwn ? "granted" : saved.outcome, isNew };
}

export async function renew(db: Database, input: Renewal): Promise<RenewalOutcome> {
  const saved = await saveRenewal(db, { ...input, id: newId() });
  await failpoint("grant_after_commit");
  return saved;
}

export async function adjust(db: Database, input: Adjustment): Promise<AdjustmentOutcome> {
  const { outcome, ...saved } = await saveAdjustment(db, { ...input, id: input.id ?? newId() });
  return { outcome: outcome === "repeat" ? "adjusted" : outcome, ...saved, isNew: outcome === "adjusted" };
}
