import type { Clock } from "../clock.ts";

/** Can be long: retrying on the separate path delays nobody else, and the first success ends it. */
const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 100;

export type Entry<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

/** An owner on the separate path: `underWay` items have not ended, and it counts as locked out until `untilMs`. */
type SlowOwner = { underWay: number; untilMs: number };

type SlowLane<Item, Result> = {
  readonly isEmpty: boolean;
  /** Call this when somebody else holds a lock that this owner's items need. */
  add(owner: string): void;
  /** True if the item was diverted to the separate path, which then settles it. */
  takes(entry: Entry<Item, Result>): boolean;
};

/**
 * Diverts the items of locked-out owners, for which every batch would wait otherwise. All items of an owner take the
 * same path until the last of them has ended, so they keep their order.
 */
export function createSlowLane<Item, Result>(input: {
  ownerOf(this: void, item: Item): string;
  isLockedOut(this: void, error: unknown): boolean;
  submitBeside(this: void, item: Item): Promise<Result>;
  readonly clock: Clock;
}): SlowLane<Item, Result> {
  const { ownerOf, isLockedOut, submitBeside, clock } = input;
  const owners = new Map<string, SlowOwner>();

  const isOver = ({ underWay, untilMs }: SlowOwner) => underWay === 0 && clock.elapsedMs() >= untilMs;

  function forgetOld(): void {
    for (const [owner, known] of owners) if (isOver(known)) owners.delete(owner);
  }

  async function answerBeside({ item, resolve, reject }: Entry<Item, Result>, of: SlowOwner): Promise<void> {
    of.underWay++;
    try {
      const result = await submitBeside(item);
      of.untilMs = 0;
      resolve(result);
    } catch (error) {
      if (isLockedOut(error)) of.untilMs = clock.elapsedMs() + REMEMBERED_MS;
      reject(error);
    } finally {
      of.underWay--;
    }
  }

  return {
    get isEmpty() {
      return owners.size === 0;
    },
    add(owner) {
      if (owners.size >= MAX_REMEMBERED) forgetOld();
      if (owners.size >= MAX_REMEMBERED) return;
      owners.set(owner, { underWay: 0, untilMs: clock.elapsedMs() + REMEMBERED_MS });
    },
    takes(entry) {
      const owner = ownerOf(entry.item);
      const known = owners.get(owner);
      if (known === undefined) return false;
      if (isOver(known)) {
        owners.delete(owner);
        return false;
      }
      void answerBeside(entry, known);
      return true;
    },
  };
}
