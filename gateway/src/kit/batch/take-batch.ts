/** What leaves a queue next, and what stays in it; both in queue order. */
type Taken<Entry> = { readonly batch: Entry[]; readonly rest: Entry[] };

export function firstOfAll<Entry>(queue: Entry[], maxItems: number): Taken<Entry> {
  return { batch: queue.slice(0, maxItems), rest: queue.slice(maxItems) };
}

/** Takes the items of the owner that has waited longest, from anywhere in the queue. */
export function firstOwner<Entry>(
  queue: readonly Entry[],
  maxItems: number,
  ownerOf: (entry: Entry) => string,
): Taken<Entry> {
  const batch: Entry[] = [];
  const rest: Entry[] = [];
  let first: string | undefined;
  for (const entry of queue) {
    const owner = ownerOf(entry);
    first ??= owner;
    const isNext = owner === first && batch.length < maxItems;
    (isNext ? batch : rest).push(entry);
  }
  return { batch, rest };
}
