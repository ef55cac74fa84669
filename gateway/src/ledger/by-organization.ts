/** A batch as the SQL functions expect it: organizations in ascending order, the items of each in order of arrival. */
type GroupedBatch = {
  readonly orgIds: readonly string[];
  readonly counts: readonly number[];
  /** Position in the grouped batch → position in the original one. */
  readonly order: readonly number[];
};

export function groupByOrganization(items: readonly { readonly orgId: string }[]): GroupedBatch {
  const positions = new Map<string, number[]>();
  for (let i = 0; i < items.length; i++) {
    const orgId = (items[i] as { orgId: string }).orgId;
    const own = positions.get(orgId);
    if (own) own.push(i);
    else positions.set(orgId, [i]);
  }
  // Sorting lower-case UUIDs as text gives PostgreSQL's order of uuid, the order in which every writer takes its locks.
  const orgIds = [...positions.keys()].sort();
  const own = orgIds.map((orgId) => positions.get(orgId) ?? []);
  return { orgIds, counts: own.map((list) => list.length), order: own.flat() };
}

export function inGroupedOrder<Item>(items: readonly Item[], grouped: GroupedBatch): Item[] {
  return grouped.order.map((position) => items[position] as Item);
}

export function inArrivalOrder<Result>(results: readonly Result[], grouped: GroupedBatch): Result[] {
  const arrived = new Array<Result>(results.length);
  for (let i = 0; i < grouped.order.length; i++) arrived[grouped.order[i] as number] = results[i] as Result;
  return arrived;
}
