import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../../contract.ts";
import { followDirectives } from "./follow-directives.ts";

const { signal } = new AbortController();

async function failureOf(...lines: string[]): Promise<ProviderFailure> {
  try {
    await followDirectives(lines, signal);
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
  }
  throw new Error("it did not fail");
}

describe("directives of a media prompt", () => {
  test("are taken out of its lines, which are otherwise left alone", async () => {
    expect(await followDirectives(["one [sandbox:delay=1ms]", "two"], signal)).toEqual(["one", "two"]);
  });

  test.each([
    ["[sandbox:fail]", "unavailable"],
    ["[sandbox:error=429]", "rate_limited"],
    ["[sandbox:error=400]", "rejected"],
  ])("%s fails as %s, and no breaker counts it", async (directive, kind) => {
    const failure = await failureOf("hello", `there ${directive}`);
    expect(failure.kind).toBe(kind as ProviderFailure["kind"]);
    expect(failure.detail.scripted).toBe(true);
  });

  test("one that nobody can read is refused by its name", async () => {
    const failure = await failureOf("[sandbox:fial]");
    expect(failure.kind).toBe("rejected");
    expect(failure.publicMessage).toContain("[sandbox:fial]");
  });

  test("a wait ends with the call's signal", async () => {
    const controller = new AbortController();
    const waiting = followDirectives(["[sandbox:delay=2m]"], controller.signal);
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
  });
});
