import { expect, test } from "bun:test";
import { compact } from "./compact.ts";
import { ALGORITHM_VERSION, type CompactionOptions } from "./compaction.ts";
import { expand } from "./testing/expand-testing.ts";
import { goldenConversation } from "./testing/golden-testing.ts";

/**
 * What each version makes of the golden conversation. A new form of old messages invalidates every customer's prompt
 * cache at the provider once: if this test fails, raise ALGORITHM_VERSION, add a line here and one to the CHANGELOG.
 */
const GOLDEN: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: {
    safe: "0a527c776f357434",
    structural: "c5f579485dc08cf0",
    "without references": "e7a9b795e2bf851e",
  },
  2: {
    safe: "ff358b93c29b4189",
    structural: "3715f9ee8547da8e",
    "without references": "8adc057622c00488",
  },
  3: {
    safe: "0ef40f1185b7a80e",
    structural: "089ff6ba915e7ff7",
    "without references": "3849087a868c0617",
  },
  4: {
    safe: "1322aed91cd8e33b",
    structural: "70473e0ed9767c28",
    "without references": "09675a582d9773c4",
  },
  5: {
    safe: "78fb33a98f395ba7",
    structural: "977764e6cbf6df3a",
    "without references": "33d708f22e3468d2",
  },
  6: {
    safe: "c3a6f4e295f0f500",
    structural: "15ae4af53ed1b94c",
    "without references": "9a42c60fa4578ecd",
  },
  7: {
    safe: "4e9cdfdb206fffd2",
    structural: "3a5878ced82cab63",
    "without references": "00c3f688f9b4576c",
  },
  8: {
    safe: "25de4d0015a4468b",
    structural: "79e2ccfd8fa5acd5",
    "without references": "e94789d5c1f7491f",
  },
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

test("the golden conversation uses all 10 steps, and can be expanded again", () => {
  const { actions, messages } = compact(goldenConversation(), { level: "structural", references: true });
  expect(actions).toHaveLength(10);
  expect(() => expand(messages, { references: true })).not.toThrow();
});
