import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { costByReceipt } from "../../../test/receipt-cost.ts";
import { credits } from "../kit/index.ts";
import { textCost } from "./cost.ts";
import { measuredText } from "./measured.ts";
import { modelFrom } from "./testing.ts";

test("the example in docs/billing.md has the price rule, cost and measured tokens that the code computes", () => {
  const page = readFileSync(join(import.meta.dir, "..", "..", "..", "docs", "billing.md"), "utf8");
  const rule = JSON.parse(/```json\n([^`]+)```/.exec(page)?.[1] ?? "");
  const words = page.replaceAll(/\s+/g, " ");
  const figure = (pattern: RegExp) => Number(pattern.exec(words)?.[1]?.replaceAll(",", ""));
  const tokens = {
    inputTokens: figure(/a call of ([\d,]+) tokens in/),
    outputTokens: figure(/tokens in and ([\d,]+) out/),
  };
  const measured = JSON.parse(/`(\{"cached[^`]+\})`/.exec(words)?.[1] ?? "");
  expect(costByReceipt({ rule, ...tokens, measured: null })).toBe(figure(/out costs ([\d,]+) credits/));
  expect(costByReceipt({ rule, ...tokens, measured })).toBe(figure(/and ([\d,]+) credits where/));
  const { type: _text, version: _one, credits_per_request, ...price } = rule;
  const model = modelFrom({ type: "text", credits_per_request, price });
  expect(JSON.parse(model.priceRule.json)).toEqual(rule);
  const usage = {
    ...{ cacheWriteTokens: 0, reasoningTokens: 0, ...tokens },
    cachedInputTokens: measured.cached_input_tokens,
  };
  expect(textCost({ model, usage, n: 1 })).toBe(credits(figure(/and ([\d,]+) credits where/)));
  expect(measuredText({ model, usage, n: 1 })).toBe(JSON.stringify(measured));
});
