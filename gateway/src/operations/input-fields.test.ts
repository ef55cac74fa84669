import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { acceptedBy, durationMs, inputFields, momentOf, valueOfText } from "./input-fields.ts";

describe("texts", () => {
  test("a duration is a number and a unit, up to ten years", () => {
    expect(durationMs("30d")).toBe(30 * 86_400_000);
    expect(durationMs("12h")).toBe(12 * 3_600_000);
    expect(durationMs("90s")).toBe(90_000);
    expect(durationMs("0")).toBe(0);
    for (const text of ["30", "d", "-1d", "1.5h", "30 d", "4000d", "1y", ""])
      expect(durationMs(text)).toBeNull();
  });

  test("a time is a date, or a date and time with an offset", () => {
    expect(momentOf("2027-01-31")).toEqual(new Date("2027-01-31T00:00:00Z"));
    expect(momentOf("2027-01-31T12:00:00+02:00")).toEqual(new Date("2027-01-31T10:00:00Z"));
    for (const text of [
      "2027-02-30",
      "2027-13-01",
      "tomorrow",
      "2027-01-31T12:00:00",
      "2027-01-31T25:00:00Z",
      "1",
    ])
      expect(momentOf(text)).toBeNull();
  });
});

describe("the fields of an input", () => {
  const input = z.strictObject({
    name: z.string().describe("what it is for"),
    amount: z.int().min(-5).max(5).optional(),
    isOn: z.boolean().optional(),
    pool: z.enum(["a", "b"]).optional(),
    scopes: z.array(z.enum(["x", "y"])).optional(),
  });
  const fields = new Map(inputFields({ input }).map((field) => [field.name, field]));
  const read = (name: string, text: string) => {
    const field = fields.get(name);
    return field && valueOfText(field, text);
  };

  test("say what they take", () => {
    expect([...fields.values()].map((field) => [field.kind, field.isRequired, acceptedBy(field)])).toEqual([
      ["text", true, null],
      ["whole", false, "a whole number from -5 to 5"],
      ["switch", false, "one of true, false"],
      ["text", false, "one of a, b"],
      ["list", false, "one or more of x, y"],
    ]);
    expect(fields.get("name")?.about).toBe("what it is for");
  });

  test("read texts of their kind, and nothing else", () => {
    expect([read("amount", "+3"), read("amount", "-3"), read("isOn", "false"), read("pool", "b")]).toEqual([
      3,
      -3,
      false,
      "b",
    ]);
    expect(read("scopes", "x, y")).toEqual(["x", "y"]);
    for (const [name, text] of [
      ["amount", "1.5"],
      ["amount", "1e3"],
      ["amount", "0x10"],
      ["isOn", "yes"],
      ["pool", "c"],
      ["scopes", "x,z"],
    ] as const)
      expect(read(name, text)).toBeUndefined();
  });
});
