import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name: string) => readFileSync(join(import.meta.dir, name), "utf8");

/** The colours of one name: light, then dark. */
function colours(name: string): readonly string[] {
  const [, light = "", dark = ""] =
    new RegExp(`${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(read("tokens.css")) ?? [];
  return [light, dark];
}

/** Relative luminance as defined by WCAG. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe("the edge of controls has enough contrast", () => {
  test.each(["--surface", "--surface-2", "--paper"])("on %s, in both themes", (ground) => {
    const edges = colours("--line-control");
    const grounds = colours(ground);
    for (const [at, edge] of edges.entries()) {
      expect(contrast(edge, grounds[at] ?? "")).toBeGreaterThanOrEqual(3);
    }
  });

  test("and is used for fields and for switches that are off", () => {
    const parts = read("parts.css");
    expect(/^\.input \{[^}]*\bborder: 1px solid var\(--line-control\);/m.test(parts)).toBe(true);
    expect(/^\.switch \{[^}]*\bbackground: var\(--line-control\);/m.test(parts)).toBe(true);
  });
});

test.each(["--ink", "--ink-2", "--ink-3", "--accent", "--danger", "--warn", "--info"])(
  "text in %s has enough contrast on every background",
  (name) => {
    for (const ground of ["--surface", "--surface-2", "--paper"]) {
      for (const [at, colour] of colours(name).entries()) {
        expect(contrast(colour, colours(ground)[at] ?? "")).toBeGreaterThanOrEqual(4.5);
      }
    }
  },
);
