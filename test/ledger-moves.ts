import { expect } from "bun:test";
import type { AdmissionCall } from "../gateway/src/admission/index.ts";
import { admitAll } from "../gateway/src/admission/store.ts";
import { credits } from "../gateway/src/kit/index.ts";
import type { Settlement } from "../gateway/src/ledger/index.ts";
import { settleAll } from "../gateway/src/ledger/store.ts";
import type { openLedgerBooks } from "./ledger-books.ts";
import { admissionOf, settlementOf } from "./paid-items.ts";

/**
 * The steps of a call, for tests that decide when each one happens: admit, hold and settle, each in its own
 * transaction.
 */
export function ledgerMoves({ db, lease }: Awaited<ReturnType<typeof openLedgerBooks>>) {
  async function admit(call: AdmissionCall) {
    const [answer] = await admitAll(db, lease.current, [call], false);
    return answer;
  }

  return {
    admit,
    async hold(orgId: string, amount: number, changes: Partial<AdmissionCall> = {}) {
      const call = admissionOf(orgId, amount, changes);
      expect(await admit(call)).toMatchObject({ outcome: "admitted", granted: credits(amount) });
      return call;
    },
    async settle(call: AdmissionCall, cost: number, changes: Partial<Settlement> = {}) {
      const [settled] = await settleAll(db, "call", [settlementOf(call, credits(cost), changes)]);
      return settled;
    },
  };
}
