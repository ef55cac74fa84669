import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEdge } from "../testing.ts";
import { themeColourTags } from "./theme-colour.ts";

/** The colour and media condition of each tag. */
function tagsIn(html: string): string[][] {
  const tags = html.matchAll(/<meta name="theme-color" content="([^"]+)" media="([^"]+)"/g);
  return [...tags].map(([, colour = "", media = ""]) => [colour, media]);
}

test("theme-color tags have the palette's colours, by the system's preference or the chosen theme", () => {
  const palette = readFileSync(join(import.meta.dir, "../../../../console/styles/tokens.css"), "utf8");
  const [, light = "", dark = ""] = /--surface: light-dark\((\S+), (\S+)\);/.exec(palette) ?? [];
  expect(tagsIn(themeColourTags(null))).toEqual([
    [light, "(prefers-color-scheme: light)"],
    [dark, "(prefers-color-scheme: dark)"],
  ]);
  expect(tagsIn(themeColourTags("dark"))).toEqual([
    [light, "not all"],
    [dark, "all"],
  ]);
});

test("the front page, the reference and the page for an unknown path each have both theme-color tags", async () => {
  for (const path of ["/", "/docs", "/nothing"]) {
    const page = await createEdge().send(path, { key: null, headers: { accept: "text/html" } });
    expect([path, tagsIn(await page.text())]).toEqual([path, tagsIn(themeColourTags(null))]);
  }
});
