import { describe, expect, test } from "bun:test";
import { readLimits, readNotices, readTimeouts } from "./schema.ts";

const page = await Bun.file(new URL("../../../docs/configuration.md", import.meta.url)).text();

const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** `10,000`, `4 MiB` */
function numberOf(words: string): number {
  const [digits = "", unit] = words.trim().split(" ");
  return Number(digits.replaceAll(",", "")) * (unit === undefined ? 1 : (UNITS[unit] ?? Number.NaN));
}

type Documented = {
  readonly key: string;
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
};

/**
 * What the table below a heading says of each setting; a range that applies to all may come before the table instead.
 */
function tableUnder(heading: string): Documented[] {
  const [, behind = ""] = page.split(`### \`${heading}\`\n`);
  const [section = ""] = behind.split("\n### ");
  const [, ofAll] = /, from (\S+ to \S+)/.exec(section) ?? [];
  return section
    .split("\n")
    .filter((row) => row.startsWith("| `"))
    .map((row) => {
      const [key = "", fallback = "", ofItself = ""] = row.split("|").slice(1);
      const [min = "", max = ""] = (ofAll ?? ofItself).trim().split(" to ");
      const name = key.replaceAll("`", "").trim();
      return { key: name, fallback: numberOf(fallback), min: numberOf(min), max: numberOf(max) };
    });
}

const camelCase = (key: string) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

type Read = (given: unknown, problems: string[]) => object;

function isTaken(read: Read, key: string, value: number): boolean {
  const problems: string[] = [];
  read({ [key]: value }, problems);
  return problems.length === 0;
}

const SECTIONS: readonly (readonly [string, Read])[] = [
  ["limits", readLimits],
  ["timeouts", readTimeouts],
  ["notices", readNotices],
];

describe.each(SECTIONS)("docs/configuration.md documents of `%s`", (name, read) => {
  const table = tableUnder(name);

  test("every setting with its default, and no other", () => {
    const defaults: Record<string, number> = { ...read({}, []) } as Record<string, number>;
    const documented = Object.fromEntries(table.map(({ key, fallback }) => [camelCase(key), fallback]));
    expect(documented).toEqual(defaults);
  });

  test.each(table)("$key with its exact range", ({ key, min, max }) => {
    const tried = [min - 1, min, max, max + 1].map((value) => isTaken(read, key, value));
    expect(tried).toEqual([false, true, true, false]);
  });
});
