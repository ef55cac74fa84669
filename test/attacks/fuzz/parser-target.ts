import type { Random } from "../../simulation/random.ts";

/** A reader of foreign bytes. `check` throws where it crashes or says what cannot be true. */
export type ParserTarget = {
  readonly name: string;
  /** Valid inputs, from which the others are made. */
  readonly seeds: readonly Uint8Array[];
  /** Made by the target itself where changed bytes alone would never get far. */
  make?(random: Random): Uint8Array;
  check(bytes: Uint8Array, random: Random): void;
};

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
export const bytesOf = (...texts: string[]): Buffer[] => texts.map((each) => Buffer.from(each));
