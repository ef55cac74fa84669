import { expect, test } from "bun:test";
import fc from "fast-check";
import { groupByOrganization, inArrivalOrder, inGroupedOrder } from "./by-organization.ts";

const items = fc.array(fc.record({ orgId: fc.constantFrom("c", "a", "b", "d"), n: fc.nat() }));

test("groups are sorted by organization, one for each, and keep the order of arrival", () => {
  fc.assert(
    fc.property(items, (batch) => {
      const grouped = groupByOrganization(batch);
      expect(grouped.orgIds).toEqual([...new Set(batch.map(({ orgId }) => orgId))].sort());
      const expected = grouped.orgIds.flatMap((orgId) => batch.filter((item) => item.orgId === orgId));
      expect(inGroupedOrder(batch, grouped)).toEqual(expected);
      expect(grouped.counts).toEqual(
        grouped.orgIds.map((orgId) => batch.filter((item) => item.orgId === orgId).length),
      );
    }),
  );
});

test("results return in the order in which their items arrived", () => {
  fc.assert(
    fc.property(items, (batch) => {
      const grouped = groupByOrganization(batch);
      expect(inArrivalOrder(inGroupedOrder(batch, grouped), grouped)).toEqual(batch);
    }),
  );
});
