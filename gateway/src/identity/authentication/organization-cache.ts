import { assert } from "../../kit/index.ts";

/**
 * What a node remembers about organizations, bounded. Entries are evicted by whole organization, because that is what a
 * change notification names. Whether an entry may be trusted is decided elsewhere.
 */
export type OrganizationCache<Value> = {
  get(key: string): Value | undefined;
  set(entry: { organizationId: string; key: string; value: Value }): void;
  delete(key: string): void;
  evict(organizationId: string): void;
  clear(): void;
  readonly size: number;
};

type Entry<Value> = { readonly organizationId: string; readonly value: Value; used: boolean };

/** Recently used entries get a second chance when space is needed; at most this many per insertion. */
const MAX_SECOND_CHANCES = 8;

export function createOrganizationCache<Value>(maxEntries: number): OrganizationCache<Value> {
  assert(maxEntries > 0, "a cache needs room");
  const entries = new Map<string, Entry<Value>>();
  const keysOf = new Map<string, Set<string>>();

  function remove(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    const siblings = keysOf.get(entry.organizationId);
    siblings?.delete(key);
    if (siblings?.size === 0) keysOf.delete(entry.organizationId);
  }

  function makeRoom(): void {
    let chances = MAX_SECOND_CHANCES;
    for (const [key, entry] of entries) {
      if (!entry.used || chances === 0) {
        remove(key);
        return;
      }
      chances--;
      entry.used = false;
      entries.delete(key);
      entries.set(key, entry);
    }
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entry.used = true;
      return entry.value;
    },
    set({ organizationId, key, value }) {
      remove(key);
      if (entries.size >= maxEntries) makeRoom();
      entries.set(key, { organizationId, value, used: false });
      const siblings = keysOf.get(organizationId);
      if (siblings) siblings.add(key);
      else keysOf.set(organizationId, new Set([key]));
    },
    delete: remove,
    evict(organizationId) {
      for (const key of keysOf.get(organizationId) ?? []) entries.delete(key);
      keysOf.delete(organizationId);
    },
    clear() {
      entries.clear();
      keysOf.clear();
    },
    get size() {
      return entries.size;
    },
  };
}
