import { type LearnedModel, nothingLearned } from "./correction-sums.ts";

export type Asker = { readonly orgId: string; readonly model: string };

/** Pairs of organization and model that a node remembers: a few megabytes. */
const MOST_ENTRIES = 10_000;

type Entry = { readonly asker: Asker; readonly learned: LearnedModel };

/**
 * What each organization's own calls have taught about each model; the pair that learned least recently is evicted
 * first.
 */
export class OwnLearned {
  /** Ordered by when they last learned, the most recent at the end. */
  readonly #entries = new Map<string, Entry>();
  #last: Entry | undefined;

  get entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  find(asker: Asker): LearnedModel | undefined {
    return this.#entries.get(keyOf(asker))?.learned;
  }

  /** Moves the entry to the end; the caller updates what it returns. */
  toLearn({ orgId, model }: Asker): LearnedModel {
    const key = keyOf({ orgId, model });
    const entry = this.#entries.get(key) ?? { asker: { orgId, model }, learned: nothingLearned() };
    if (entry === this.#last) return entry.learned;
    this.#entries.delete(key);
    if (this.#entries.size >= MOST_ENTRIES) this.#entries.delete(this.#entries.keys().next().value ?? "");
    this.#entries.set(key, entry);
    this.#last = entry;
    return entry.learned;
  }
}

function keyOf({ orgId, model }: Asker): string {
  return `${orgId} ${model}`;
}
