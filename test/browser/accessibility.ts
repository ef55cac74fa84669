import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const AXE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");
const WEIGHTY = ["moderate", "serious", "critical"];

type Finding = { id: string; impact: string | null; nodes: { target: string[]; failureSummary: string }[] };

/**
 * Fails on moderate or worse findings of axe-core. Waits for animations first, because half-faded text has too little
 * contrast.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that is still loading would pass, or fail only for its missing heading.
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.evaluate(
    "Promise.all(document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity).map((a) => a.finished.catch(() => {})))",
  );
  if (!(await page.evaluate("'axe' in globalThis"))) await loadAxe(page);
  const findings = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  )) as Finding[];
  const weighty = findings
    .filter(({ impact }) => WEIGHTY.includes(impact ?? ""))
    .map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(" ")).slice(0, 5) }));
  expect(weighty, `axe-core, at ${page.url()}`).toEqual([]);
}

/**
 * As an expression, because the content security policy rightly refuses a script element; and not by the page's `eval`,
 * which compiles it in a third more CPU.
 */
async function loadAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { exceptionDetails } = await session.send("Runtime.evaluate", { expression: `${AXE};0` });
  expect(exceptionDetails).toBeUndefined();
  await session.detach();
}
