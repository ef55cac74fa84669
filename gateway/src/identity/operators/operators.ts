import type { Database } from "../../db/index.ts";
import { parseEmail } from "../email.ts";
import type { Invalid } from "../refusal.ts";
import {
  deleteOperator,
  insertOperator,
  loadIsOperator,
  loadOperator,
  loadOperators,
  type OperatorPerson,
} from "./store.ts";

export type { OperatorPerson } from "./store.ts";

type ChangedOperator =
  | { readonly outcome: "ok"; readonly operator: OperatorPerson; readonly isNew: boolean }
  | { readonly outcome: "not_found" }
  | Invalid;

/** People who may do what an operator's key may. */
export type Operators = {
  is(userId: string): Promise<boolean>;
  /** Longest-standing first. */
  list(): Promise<OperatorPerson[]>;
  /** `not_found`: nobody has an account with that address. */
  add(email: string): Promise<ChangedOperator>;
  remove(email: string): Promise<ChangedOperator>;
};

const MAX_OPERATORS = 1_000;

export function createOperators({ db }: { db: Database }): Operators {
  return {
    is: (userId) => loadIsOperator(db.pool, userId),
    list: () => loadOperators(db.pool, MAX_OPERATORS),
    async add(emailText) {
      const parsed = parseEmail(emailText);
      if (parsed.outcome === "invalid") return parsed;
      const isNew = await insertOperator(db.pool, parsed.email);
      const operator = await loadOperator(db.pool, parsed.email);
      return operator ? { outcome: "ok", operator, isNew } : { outcome: "not_found" };
    },
    async remove(emailText) {
      const parsed = parseEmail(emailText);
      if (parsed.outcome === "invalid") return parsed;
      const operator = await loadOperator(db.pool, parsed.email);
      if (!operator) return { outcome: "not_found" };
      await deleteOperator(db.pool, operator.userId);
      return { outcome: "ok", operator, isNew: false };
    },
  };
}
