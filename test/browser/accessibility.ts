import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const AXE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const WEIGHTY = ["moderate", "serious", "critical"];

type Finding = { id: string; impact: string | null; nodes: { target: string[]; failureSummary: string }[] };

/** No finding of axe-core that keeps somebody out or leaves them to search. Animations are let finish: a half-faded text has no contrast. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that is still on its way has nothing to find fault with, but that it has no heading yet.
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.evaluate(
    "Promise.all(document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity).map((a) => a.finished.catch(() => {})))",
  );
  // Handed over as an expression: a script element would be refused by the content policy, and should be.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(`${AXE};0`);
  const findings = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  )) as Finding[];
  const weighty = findings
    .filter(({ impact }) => WEIGHTY.includes(impact ?? ""))
    .map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(" ")).slice(0, 5) }));
  expect(weighty, `axe-core, at ${page.url()}`).toEqual([]);
}
