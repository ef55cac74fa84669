import type { Random } from "../../simulation/random.ts";

/** A parser of untrusted bytes. `check` throws if the parser crashes or returns something that cannot be true. */
export type ParserTarget = {
  readonly name: string;
  /** Valid inputs, which are mutated to make the others. */
  readonly seeds: readonly Uint8Array[];
  /** Makes inputs where mutated seeds alone would never get past the first checks. */
  make?(random: Random): Uint8Array;
  check(bytes: Uint8Array, random: Random): void;
};

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
export const bytesOf = (...texts: string[]): Buffer[] => texts.map((each) => Buffer.from(each));
