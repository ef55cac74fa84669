import { expect, test } from "bun:test";
import fc from "fast-check";
import { groupByOrganization, inArrivalOrder, inGroupedOrder } from "./by-organization.ts";

const items = fc.array(fc.record({ orgId: fc.constantFrom("c", "a", "b", "d"), n: fc.nat() }));

test("organizations ascend, each is named once, and within one the order of arrival is kept", () => {
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

test("answers come back in the order in which their questions arrived", () => {
  fc.assert(
    fc.property(items, (batch) => {
      const grouped = groupByOrganization(batch);
      expect(inArrivalOrder(inGroupedOrder(batch, grouped), grouped)).toEqual(batch);
    }),
  );
});
