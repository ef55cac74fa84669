import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createOrganizationCache } from "./organization-cache.ts";

describe("the organization cache", () => {
  test("never exceeds its bound", () => {
    const cache = createOrganizationCache<number>(10);
    for (let i = 0; i < 1_000; i++) {
      cache.set({ organizationId: `o${i % 7}`, key: `k${i}`, value: i });
      cache.get(`k${i - 3}`);
      expect(cache.size).toBeLessThanOrEqual(10);
    }
  });

  test("keeps used entries over unused ones", () => {
    const cache = createOrganizationCache<number>(3);
    for (const key of ["hot", "a", "b"]) cache.set({ organizationId: "o", key, value: 1 });
    for (let i = 0; i < 20; i++) {
      expect(cache.get("hot")).toBe(1);
      cache.set({ organizationId: "o", key: `new${i}`, value: i });
    }
    expect(cache.get("hot")).toBe(1);
  });

  test("behaves like a map that can drop whole organizations", () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const organizationId = fc.constantFrom("o1", "o2", "o3");
    const step = fc.oneof(
      fc.record({ do: fc.constant("set" as const), key, organizationId, value: fc.nat() }),
      fc.record({ do: fc.constant("delete" as const), key }),
      fc.record({ do: fc.constant("evict" as const), organizationId }),
      fc.record({ do: fc.constant("clear" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const cache = createOrganizationCache<number>(100);
        const model = new Map<string, { organizationId: string; value: number }>();
        for (const one of steps) {
          if (one.do === "set") {
            cache.set(one);
            model.set(one.key, one);
          } else if (one.do === "delete") {
            cache.delete(one.key);
            model.delete(one.key);
          } else if (one.do === "evict") {
            cache.evict(one.organizationId);
            for (const [k, v] of model) if (v.organizationId === one.organizationId) model.delete(k);
          } else {
            cache.clear();
            model.clear();
          }
          expect(cache.size).toBe(model.size);
          for (const k of ["a", "b", "c", "d"]) expect(cache.get(k)).toBe(model.get(k)?.value);
        }
      }),
    );
  });
});
