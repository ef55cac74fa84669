import type { Exchange } from "./raw-http.ts";

export type Call = Exchange & {
  /** What stands after the behaviour's name: `reset-at:120` has one, "120". */
  readonly args: readonly string[];
  readonly isStream: boolean;
  /** Waits until the test opens the gate of all held calls. */
  readonly gate: () => Promise<void>;
  /** Waits until as many calls wait here. */
  readonly barrier: (size: number) => Promise<void>;
};

/** One way to answer, and a line on what it does for whoever picks one. */
export type Behaviour = { readonly about: string; answer(call: Call): void | Promise<void> };

export type Behaviours = Readonly<Record<string, Behaviour>>;

export function numberOf(call: Call, at: number, otherwise: number): number {
  const given = call.args[at];
  return given === undefined ? otherwise : Number(given);
}
