import { describe, expect, test } from "bun:test";
import { creditDelta, credits } from "../kit/index.ts";
import { CliError } from "./cli-error.ts";
import {
  parseAmount,
  parseChange,
  parseChoice,
  parseDurationMs,
  parseMoment,
  parseWhole,
} from "./flag-values.ts";

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
  test("an amount is a whole number from 1 to 10^12", () => {
    expect(parseAmount("--amount", "1")).toBe(credits(1));
    expect(parseAmount("--amount", "1000000000000")).toBe(credits(1_000_000_000_000));
    for (const text of [
      "0",
      "-1",
      "1.5",
      "1e3",
      "1000000000001",
      "99999999999999",
      "0x10",
      " 1",
      "1_000",
      "NaN",
    ]) {
      expect(refusal(() => parseAmount("--amount", text))).toStartWith("--amount takes a whole number");
    }
  });

  test("a change is a whole number with an optional sign, and not 0", () => {
    expect(parseChange("--amount", "-250")).toBe(creditDelta(-250));
    expect(parseChange("--amount", "+250")).toBe(creditDelta(250));
    for (const text of ["0", "-0", "--5", "1.5", "-1000000000001"]) {
      expect(refusal(() => parseChange("--amount", text))).toStartWith("--amount takes a whole number");
    }
  });

  test("a duration is a number and a unit, up to ten years", () => {
    expect(parseDurationMs("--expires-in", "30d")).toBe(30 * 86_400_000);
    expect(parseDurationMs("--expires-in", "12h")).toBe(12 * 3_600_000);
    expect(parseDurationMs("--expires-in", "90s")).toBe(90_000);
    expect(parseDurationMs("--grace", "0")).toBe(0);
    for (const text of ["30", "d", "-1d", "1.5h", "30 d", "4000d", "1y", ""]) {
      expect(refusal(() => parseDurationMs("--expires-in", text))).toContain("such as 30m, 12h, 30d");
    }
  });

  test("a time is a date, or a date and time with an offset", () => {
    expect(parseMoment("--expires-at", "2027-01-31")).toEqual(new Date("2027-01-31T00:00:00Z"));
    expect(parseMoment("--expires-at", "2027-01-31T12:00:00+02:00")).toEqual(
      new Date("2027-01-31T10:00:00Z"),
    );
    for (const text of [
      "2027-02-30",
      "2027-13-01",
      "tomorrow",
      "2027-01-31T12:00:00",
      "2027-01-31T25:00:00Z",
      "1",
    ]) {
      expect(refusal(() => parseMoment("--expires-at", text))).toContain("such as 2027-01-31");
    }
  });

  test("a wrong choice or number is refused with what it may be", () => {
    expect(refusal(() => parseChoice("--pool", "gold", ["subscription", "anytime"]))).toBe(
      '--pool takes one of subscription, anytime, not "gold".',
    );
    expect(refusal(() => parseWhole("--workers", "0", { min: 1, max: 64 }))).toBe(
      '--workers takes a whole number from 1 to 64, not "0".',
    );
  });

  test("a huge value is not repeated in full", () => {
    expect(refusal(() => parseAmount("--amount", "9".repeat(100_000))).length).toBeLessThan(200);
  });
});
