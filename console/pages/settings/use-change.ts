import { useState } from "react";
import type { AskError } from "../../api/ask.ts";

type Change<Value> = { readonly wanted: Value; readonly seen: Value | null };

export type Changing<Value> = {
  /** The changed value, or the current one. */
  readonly value: Value;
  readonly isChanged: boolean;
  /** The value when the change began: the gateway compares with it. */
  readonly seen: Value;
  choose(value: Value): void;
  drop(): void;
  /** After a conflict the newer value is shown, so saving again overwrites it deliberately. */
  onError(error: AskError): void;
};

/** The page refetches while a user changes something; the change refers to the value that they saw. */
export function useChange<Value>(current: Value): Changing<Value> {
  const [change, setChange] = useState<Change<Value> | null>(null);
  return {
    value: change ? change.wanted : current,
    isChanged: change !== null && change.wanted !== current,
    seen: change?.seen ?? current,
    choose: (wanted) => setChange({ wanted, seen: change ? change.seen : current }),
    drop: () => setChange(null),
    onError({ problem }) {
      if (problem.code === "conflict") setChange((before) => before && { ...before, seen: null });
    },
  };
}
