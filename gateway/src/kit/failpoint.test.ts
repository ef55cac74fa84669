import { afterEach, describe, expect, test } from "bun:test";
import { armFailpoint, armFailpointsFromText, FAIL_POINTS, FailpointError, failpoint } from "./failpoint.ts";

const disarms: (() => void)[] = [];
afterEach(() => {
  for (const disarm of disarms.splice(0)) disarm();
  // Replaces whatever a text armed, then disarms it.
  for (const name of FAIL_POINTS) armFailpoint(name, () => {})();
});

function arm(...[name, action]: Parameters<typeof armFailpoint>): () => void {
  const disarm = armFailpoint(name, action);
  disarms.push(disarm);
  return disarm;
}

describe("a fail point", () => {
  test("does nothing and returns no promise until it is armed", () => {
    for (const name of FAIL_POINTS) expect(failpoint(name)).toBeUndefined();
  });

  test("acts where it is armed and nowhere else", async () => {
    const passed: string[] = [];
    arm("before_hold", () => void passed.push("before_hold"));
    arm("mid_stream", async () => void passed.push("mid_stream"));
    for (const name of FAIL_POINTS) await failpoint(name);
    expect(passed).toEqual(["before_hold", "mid_stream"]);
  });

  test("keeps the latest action: disarming an earlier one changes nothing", () => {
    const passed: number[] = [];
    const first = arm("before_hold", () => void passed.push(1));
    const second = arm("before_hold", () => void passed.push(2));
    first();
    failpoint("before_hold");
    second();
    failpoint("before_hold");
    expect(passed).toEqual([2]);
  });
});

describe("fail points from text", () => {
  test("throw, delay and hang", async () => {
    armFailpointsFromText(" before_hold=throw, mid_stream=delay:1 ,after_reply=hang,");
    expect(() => failpoint("before_hold")).toThrow(FailpointError);
    expect(await failpoint("mid_stream")).toBeUndefined();
    const hung = failpoint("after_reply");
    const winner = await Promise.race([Promise.resolve(hung).then(() => "ended"), Bun.sleep(5)]);
    expect(winner).toBeUndefined();
    expect(failpoint("before_usage")).toBeUndefined();
  });

  test("an empty text arms nothing", () => {
    armFailpointsFromText("");
    armFailpointsFromText(" , ");
    expect(failpoint("before_hold")).toBeUndefined();
  });

  test.each([
    ["nowhere=throw", "unknown point nowhere"],
    ["before_hold", "kill, throw, hang or delay:MS"],
    ["before_hold=explode", "kill, throw, hang or delay:MS"],
    ["before_hold=delay:soon", "kill, throw, hang or delay:MS"],
    ["before_hold=delay:-1", "kill, throw, hang or delay:MS"],
    ["mid_stream=throw,nowhere=kill", "unknown point nowhere"],
  ])("%s is refused with the reason, and nothing is armed", (text, says) => {
    expect(() => armFailpointsFromText(text)).toThrow(says);
    expect(failpoint("mid_stream")).toBeUndefined();
  });
});
