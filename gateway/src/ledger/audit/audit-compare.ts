import { type AuditFault, faultOfEntry } from "./audit-fault.ts";
import type { AccountTruth, ReplayState } from "./audit-store.ts";
import { type DaySums, SUMMED } from "./audit-sums-store.ts";

/** Compares the account row and its holds with the sum of the entries. */
export function compareAccount(orgId: string, state: ReplayState, truth: AccountTruth): AuditFault[] {
  const checks: [boolean, AuditFault["table"], string][] = [
    [
      truth.entrySeq !== state.seq,
      "entries",
      `the account's head is entry ${truth.entrySeq}, the last row is ${state.seq}`,
    ],
    [!truth.entryHash.equals(state.hash), "accounts", "entry_hash is not the hash of the last entry"],
    [
      truth.subscription !== state.subscription,
      "accounts",
      `subscription is ${truth.subscription}, its entries add up to ${state.subscription}`,
    ],
    [
      truth.anytime !== state.anytime,
      "accounts",
      `anytime is ${truth.anytime}, its entries add up to ${state.anytime}`,
    ],
    [truth.negative, "accounts", "a balance is negative"],
    [
      truth.heldSubscription !== truth.holdsSubscription,
      "holds",
      `subscription_held is ${truth.heldSubscription}, the holds add up to ${truth.holdsSubscription}`,
    ],
    [
      truth.heldAnytime !== truth.holdsAnytime,
      "holds",
      `anytime_held is ${truth.heldAnytime}, the holds add up to ${truth.holdsAnytime}`,
    ],
    [
      truth.callsInFlight !== truth.callHolds,
      "holds",
      `calls_in_flight is ${truth.callsInFlight}, there are ${truth.callHolds} holds of calls`,
    ],
    [
      truth.jobsInFlight !== truth.jobHolds,
      "holds",
      `jobs_in_flight is ${truth.jobsInFlight}, there are ${truth.jobHolds} holds of jobs`,
    ],
  ];
  return [
    ...truth.entryFaults.map((fault) => faultOfEntry(orgId, fault)),
    ...checks.filter(([wrong]) => wrong).map(([, table, what]) => ({ orgId, table, row: "account", what })),
    ...truth.strandedHolds.map(({ requestId, what }) => ({
      orgId,
      table: "holds" as const,
      row: requestId,
      what,
    })),
  ];
}

/** Compares the credits that usage reports for each day with those charged on that day. */
export function compareRollups(
  orgId: string,
  chargedByDay: ReadonlyMap<string, number>,
  truth: AccountTruth,
): AuditFault[] {
  const faults: AuditFault[] = [];
  for (const day of new Set([...chargedByDay.keys(), ...truth.rollupsByDay.keys()])) {
    const charged = chargedByDay.get(day) ?? 0;
    const reported = truth.rollupsByDay.get(day) ?? 0;
    if (charged === reported) continue;
    faults.push({
      orgId,
      table: "rollups",
      row: day,
      what: `usage reports ${reported} credits, the ledger charged ${charged}`,
    });
  }
  return faults;
}

/**
 * Compares the sum of the requests with what usage reported before and after they were read. The sums only grow: for a
 * busy organization the requests must lie between the two, for an idle one they must equal both.
 */
export function compareSums(
  orgId: string,
  requests: DaySums,
  reported: { readonly before: DaySums; readonly after: DaySums },
): AuditFault[] {
  const faults: AuditFault[] = [];
  const { before, after } = reported;
  for (const day of new Set([...requests.keys(), ...before.keys(), ...after.keys()])) {
    const wrong = SUMMED.filter((_, at) => {
      const sum = requests.get(day)?.[at] ?? 0n;
      return sum < (before.get(day)?.[at] ?? 0n) || sum > (after.get(day)?.[at] ?? 0n);
    });
    if (wrong.length === 0) continue;
    const what = `${wrong.join(", ")} do not add up from the request rows, by key, member, model and endpoint`;
    faults.push({ orgId, table: "rollups", row: day, what });
  }
  return faults;
}
