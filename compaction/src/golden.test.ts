import { expect, test } from "bun:test";
import { expand } from "../expand/expand.ts";
import { compact } from "./compact.ts";
import { ALGORITHM_VERSION, type CompactionOptions, STEPS } from "./compaction.ts";
import { goldenConversation } from "./testing/golden-testing.ts";

/**
 * What each version makes of the golden conversation. A new form of old messages invalidates every customer's prompt
 * cache at the provider once: if this test fails, raise ALGORITHM_VERSION, add a line here and one to the CHANGELOG.
 */
const GOLDEN: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  9: { safe: "d6c98a6644cf131f", structural: "2efae556a94c29f5", "without references": "5888b705a5bf763b" },
};

const OPTIONS: Readonly<Record<string, CompactionOptions>> = {
  safe: { level: "safe", references: true },
  structural: { level: "structural", references: true },
  "without references": { level: "structural", references: false },
};

test.each(Object.keys(OPTIONS))(
  "the golden conversation has the form of the current ALGORITHM_VERSION: %s",
  (name) => {
    const options = OPTIONS[name] ?? { level: "off", references: false };
    const { messages } = compact(goldenConversation(), options);
    const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(messages)).digest("hex").slice(0, 16);
    expect(hash).toBe(GOLDEN[ALGORITHM_VERSION]?.[name] ?? "");
  },
);

test("the golden conversation uses all steps, and can be expanded again", () => {
  const { actions, messages } = compact(goldenConversation(), { level: "structural", references: true });
  expect(actions).toEqual([...STEPS].sort());
  expect(() => expand(messages)).not.toThrow();
});
