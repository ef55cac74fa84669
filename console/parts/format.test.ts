import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { ago, balanceFigure, bytes, duration, figure, moment, when, zone } from "./format.ts";

/**
 * What a reader in New York sees, five hours behind UTC. Runs in another process, because formatters keep the time zone
 * in which they were created.
 */
function shownInNewYork(expression: string): unknown {
  const script = `import * as format from "./format.ts"; console.log(JSON.stringify(${expression}));`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], {
    cwd: import.meta.dir,
    env: { ...process.env, TZ: "America/New_York" },
  });
  return JSON.parse(stdout.toString());
}

describe("a time", () => {
  test("has the same day in every format, that of the reader's time zone", () => {
    // Long ago, so that it is never shown as recent.
    const shown = shownInNewYork(
      '[format.moment, format.day, format.ago].map((show) => show("2020-11-30T02:00:00.000Z"))',
    );
    expect(shown).toEqual(["29 Nov 2020, 21:00:00 GMT-5", "29 Nov 2020", "29 Nov 2020"]);
  });

  test("is not shifted if it is the UTC day of a report", () => {
    expect(shownInNewYork('format.reportDay("2026-11-30")')).toBe("30 Nov 2026");
  });
});

describe("a near time in words", () => {
  afterEach(() => void setSystemTime());
  /** A time of the reader's own clock, on a day in June. */
  const june = (day: number, hour: number, minute = 0) => new Date(2026, 5, day, hour, minute);

  test("counts calendar days once it is a day away", () => {
    setSystemTime(june(10, 22));
    const shown = [june(11, 21, 59), june(11, 22), june(11, 23, 59), june(12, 0), june(12, 21), june(13, 1)];
    expect(shown.map((at) => ago(at.toISOString()))).toEqual([
      "in 23 hours",
      "tomorrow",
      "tomorrow",
      "in 2 days",
      "in 2 days",
      "in 3 days",
    ]);
  });

  test("counts calendar days in the past, too", () => {
    setSystemTime(june(10, 2));
    const shown = [june(9, 2, 1), june(9, 1), june(9, 0), june(8, 23), june(8, 3), june(7, 23)];
    expect(shown.map((at) => ago(at.toISOString()))).toEqual([
      "23 hours ago",
      "yesterday",
      "yesterday",
      "2 days ago",
      "2 days ago",
      "3 days ago",
    ]);
  });
});

test("a time in a list has its day, unless that is today", () => {
  const now = new Date().toISOString();
  // Midnight may pass between the two; then the form with the day is right.
  const whole = moment(now);
  expect([whole.split(/, | /)[3], whole.slice(0, whole.lastIndexOf(" "))]).toContain(when(now));
  expect(moment("2020-11-30T02:00:00.000Z")).toBe(
    `${when("2020-11-30T02:00:00.000Z")} ${zone(new Date("2020-11-30"))}`,
  );
});

test("a large number is shortened, also if it is negative", () => {
  expect([9_999_999, 12_340_000, -9_999_999, -12_340_000].map(figure)).toEqual([
    "9,999,999",
    "12.3M",
    "-9,999,999",
    "-12.3M",
  ]);
});

test("a duration is rounded before it is split, so that no part overflows", () => {
  const shown = [950, 1_000, 59_949, 59_960, 60_000, 119_400, 119_600].map(duration);
  expect(shown).toEqual(["950 ms", "1.0 s", "59.9 s", "1 min 0 s", "1 min 0 s", "1 min 59 s", "2 min 0 s"]);
});

test("a size has the unit that it is rounded up to", () => {
  const shown = [999, 1_000, 999_499, 999_700, 1_000_000, 25_260_000, 999_960_000, 3e9].map(bytes);
  expect(shown).toEqual(["999 B", "1 kB", "999 kB", "1.0 MB", "1.0 MB", "25.3 MB", "1.0 GB", "3.0 GB"]);
});

test("a balance is rounded down, never up", () => {
  const shown = [9_999_999, 12_390_000, 999_999_999_993, -12_310_000].map(balanceFigure);
  expect(shown).toEqual(["9,999,999", "12.3M", "999.9B", "-12.4M"]);
});
