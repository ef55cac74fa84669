import { useState } from "react";
import { failureOf, type PlayCall, type PlayError, play } from "./play.ts";
import { useRepeatKey } from "./use-repeat-key.ts";
import { useSpent } from "./use-spent.ts";

export type Made<Reply> = { readonly id: number; readonly call: PlayCall; readonly reply: Reply };

/** Makes one thing at a time and keeps the results, newest first, as long as the page is open. */
export function useMaker<Reply>() {
  const [made, setMade] = useState<readonly Made<Reply>[]>([]);
  const [running, setRunning] = useState<PlayCall | null>(null);
  const [problem, setProblem] = useState<PlayError | null>(null);
  const repeats = useRepeatKey();
  const { onSpent, onRefused } = useSpent();

  async function make(call: PlayCall): Promise<void> {
    setRunning(call);
    setProblem(null);
    try {
      const reply = await play<Reply>(call, repeats.keyFor(call));
      repeats.settle();
      setMade((before) => [{ id: before.length, call, reply }, ...before]);
      onSpent();
    } catch (error) {
      const failed = failureOf(error);
      repeats.settle(failed);
      setProblem(onRefused(failed, call));
    } finally {
      setRunning(null);
    }
  }

  return { made, running, problem, make };
}
