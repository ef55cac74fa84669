import { afterAll, beforeAll, describe, expect, test } from "bun:test";

/** Read once the clock on the wall is that of New York, five hours behind. */
let format: typeof import("./format.ts");
const zoneBefore = process.env["TZ"];

beforeAll(async () => {
  process.env["TZ"] = "America/New_York";
  format = await import("./format.ts");
});

afterAll(() => {
  process.env["TZ"] = zoneBefore ?? "UTC";
});

describe("a moment", () => {
  /** Long ago, so that it is never near. */
  const expiresAt = "2020-11-30T02:00:00.000Z";

  test("has the same day in every form, that of the reader's own clock", () => {
    expect(format.moment(expiresAt)).toBe("29 Nov 2020, 21:00");
    expect(format.day(expiresAt)).toBe("29 Nov 2020");
    expect(format.ago(expiresAt)).toBe("29 Nov 2020");
  });

  test("is something else than the day of a report, which is one of UTC", () => {
    expect(format.reportDay("2026-11-30")).toBe("30 Nov 2026");
  });
});

test("a duration is rounded before it is taken apart, so that no part is ever full", () => {
  const shown = [950, 1_000, 59_949, 59_960, 60_000, 119_400, 119_600].map(format.duration);
  expect(shown).toEqual(["950 ms", "1.0 s", "59.9 s", "1 min 0 s", "1 min 0 s", "1 min 59 s", "2 min 0 s"]);
});

test("a size is shown in the unit that it is rounded up to", () => {
  const shown = [999, 1_000, 999_499, 999_700, 1_000_000, 25_260_000].map(format.bytes);
  expect(shown).toEqual(["999 B", "1 kB", "999 kB", "1.0 MB", "1.0 MB", "25.3 MB"]);
});
