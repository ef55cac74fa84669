import type { Exchange } from "./raw-http.ts";

export type Call = Exchange & {
  /** What follows the behaviour's name: `reset-at:120` has one argument, "120". */
  readonly args: readonly string[];
  readonly isStream: boolean;
  /** Resolves when the test opens the gate for all held calls. */
  readonly gate: () => Promise<void>;
  /** Resolves when `size` calls wait here. */
  readonly barrier: (size: number) => Promise<void>;
};

/** One way to answer; `about` describes it for whoever picks one. */
export type Behaviour = { readonly about: string; answer(call: Call): void | Promise<void> };

export type Behaviours = Readonly<Record<string, Behaviour>>;

export function numberOf(call: Call, at: number, otherwise: number): number {
  const given = call.args[at];
  return given === undefined ? otherwise : Number(given);
}
