import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../../../gateway/src/contract/index.ts";
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
  test("are removed from its lines, which otherwise stay unchanged", async () => {
    expect(await followDirectives(["one [sandbox:delay=1ms]", "two"], signal)).toEqual(["one", "two"]);
  });

  test.each([
    ["[sandbox:fail]", "unavailable"],
    ["[sandbox:error=429]", "rate_limited"],
    ["[sandbox:error=400]", "rejected"],
  ])("%s fails as %s", async (directive, kind) => {
    const failure = await failureOf("hello", `there ${directive}`);
    expect(failure.kind).toBe(kind as ProviderFailure["kind"]);
  });

  test("an unknown directive is refused and quoted", async () => {
    const failure = await failureOf("[sandbox:fial]");
    expect(failure.kind).toBe("rejected");
    expect(failure.publicMessage).toContain("[sandbox:fial]");
  });

  test("a delay ends with the abort reason of the call", async () => {
    const controller = new AbortController();
    const waiting = followDirectives(["[sandbox:delay=2m]"], controller.signal);
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
  });
});
