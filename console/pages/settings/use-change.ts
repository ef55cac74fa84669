import { useState } from "react";
import type { AskError } from "../../api/ask.ts";

type Change<Value> = { readonly wanted: Value; readonly seen: Value | null };

export type Changing<Value> = {
  /** What is chosen, or stands there. */
  readonly value: Value;
  readonly isChanged: boolean;
  /** What stood there when the change was begun: the gateway compares with it. */
  readonly seen: Value;
  choose(value: Value): void;
  drop(): void;
  /** After a conflict: the newer value was shown, so saving again means it. */
  onError(error: AskError): void;
};

/** The page asks again while somebody changes something; their change is about what they saw. */
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
