import { describe, expect, test } from "bun:test";
import { createLookPace } from "./look-pace.ts";

describe("the pauses between polls of a video", () => {
  test("are short for a minute, then longer", () => {
    const pace = createLookPace(1_000);
    expect([pace.pauseMs(1_000), pace.pauseMs(60_999), pace.pauseMs(61_000)]).toEqual([500, 500, 1_500]);
  });

  test("stay longer once a poll failed, so that a page does not use up its organization's reads again", () => {
    const pace = createLookPace(0);
    pace.failed();
    expect(pace.pauseMs(10)).toBe(1_500);
    pace.succeeded();
    expect(pace.pauseMs(20)).toBe(1_500);
  });

  test("are long after five failures in a row, until one succeeds", () => {
    const pace = createLookPace(0);
    for (let failed = 1; failed < 5; failed++) pace.failed();
    expect([pace.isBackingOff, pace.pauseMs(10)]).toEqual([false, 1_500]);
    pace.failed();
    expect([pace.isBackingOff, pace.pauseMs(10)]).toEqual([true, 5_000]);
    pace.succeeded();
    expect([pace.isBackingOff, pace.pauseMs(10)]).toEqual([false, 1_500]);
  });
});
