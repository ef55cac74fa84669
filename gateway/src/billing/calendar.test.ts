import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addMonths, type Calendar, periodAt } from "./calendar.ts";

const at = (text: string) => new Date(text);

function monthly(anchor: string): Calendar {
  return { startedAt: at(anchor), anchor: at(anchor) };
}

describe("calendar of periods", () => {
  test("31 January is followed by 28 February and then by 31 March: months do not drift", () => {
    const starts = [0, 1, 2, 3, 4].map((months) =>
      addMonths(at("2027-01-31T10:00:00Z"), months).toISOString(),
    );
    expect(starts).toEqual([
      "2027-01-31T10:00:00.000Z",
      "2027-02-28T10:00:00.000Z",
      "2027-03-31T10:00:00.000Z",
      "2027-04-30T10:00:00.000Z",
      "2027-05-31T10:00:00.000Z",
    ]);
  });

  test("a leap year's February ends on the 29th", () => {
    expect(addMonths(at("2027-12-31T00:00:00Z"), 2)).toEqual(at("2028-02-29T00:00:00Z"));
  });

  test("a period contains its first moment and not its last", () => {
    const calendar = monthly("2027-01-31T10:00:00Z");
    expect(periodAt(calendar, at("2027-02-28T09:59:59.999Z")).startsAt).toEqual(at("2027-01-31T10:00:00Z"));
    expect(periodAt(calendar, at("2027-02-28T10:00:00Z"))).toEqual({
      startsAt: at("2027-02-28T10:00:00Z"),
      endsAt: at("2027-03-31T10:00:00Z"),
    });
  });

  test("a first period of another length ends at the anchor, and months follow", () => {
    const calendar = { startedAt: at("2027-01-01T00:00:00Z"), anchor: at("2027-01-31T00:00:00Z") };
    expect(periodAt(calendar, at("2027-01-15T00:00:00Z"))).toEqual({
      startsAt: calendar.startedAt,
      endsAt: calendar.anchor,
    });
    expect(periodAt(calendar, calendar.anchor)).toEqual({
      startsAt: calendar.anchor,
      endsAt: at("2027-02-28T00:00:00Z"),
    });
  });

  test("every moment lies in exactly one period, and periods leave no gap", () => {
    const moment = fc.date({
      min: at("2020-01-01T00:00:00Z"),
      max: at("2060-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, fc.nat(20 * 365 * 86_400_000), (anchor, laterMs) => {
        const calendar = { startedAt: anchor, anchor };
        const now = new Date(anchor.getTime() + laterMs);
        const period = periodAt(calendar, now);
        expect(period.startsAt <= now && now < period.endsAt).toBe(true);
        expect(periodAt(calendar, period.endsAt).startsAt).toEqual(period.endsAt);
        expect(periodAt(calendar, new Date(period.endsAt.getTime() - 1))).toEqual(period);
      }),
    );
  });
});
