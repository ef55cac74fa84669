import { expect, test } from "bun:test";
import { NAV } from "./pages.ts";

test("every page's guide is one that is served, with the section it names", async () => {
  for (const { guide } of NAV.filter((entry) => entry.guide !== undefined)) {
    const [name = "", section] = (guide ?? "").split("#");
    const headings = (await Bun.file(`${import.meta.dir}/../../docs/${name}.md`).text())
      .split("\n")
      .filter((line) => line.startsWith("#"))
      .map((line) => line.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"));
    expect(headings.length).toBeGreaterThan(0);
    if (section !== undefined) expect(headings).toContain(section);
  }
});
