import { describe, expect, test } from "bun:test";
import { CliError } from "./cli-error.ts";
import { parseChoice, parseWhole } from "./flag-values.ts";

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(CliError);
    expect((error as CliError).exitCode).toBe(2);
    return (error as CliError).message;
  }
  throw new Error("was not refused");
}

describe("values of flags", () => {
  test("a wrong choice or number is refused with what it may be", () => {
    expect(refusal(() => parseChoice("--pool", "gold", ["subscription", "anytime"]))).toBe(
      '--pool takes one of subscription, anytime, not "gold".',
    );
    expect(refusal(() => parseWhole("--workers", "0", { min: 1, max: 64 }))).toBe(
      '--workers takes a whole number from 1 to 64, not "0".',
    );
  });

  test("a huge value is not repeated in full", () => {
    expect(refusal(() => parseChoice("--pool", "9".repeat(100_000), ["a"])).length).toBeLessThan(200);
  });
});
