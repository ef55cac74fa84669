import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { createRandom } from "../random.ts";
import { answer } from "../talk/answer.ts";
import { decide, text, tool } from "./testing.ts";

/** Half the length, with half the time allowed, shows superlinear time just as well. */
const LENGTH = process.env["BURSAR_TEST_LONG"] === "1" ? 7_900 : 3_950;
/** A call may block all others for a quarter of a second; one prompt here stays far below that. */
const MAX_MS = LENGTH / 79;

/** Measured again only if it seems slow, because there are many prompts. */
function quickMs(run: () => unknown): number {
  const onceMs = fastestMs(run, 1);
  return onceMs < MAX_MS ? onceMs : fastestMs(run, 12, MAX_MS);
}

/** Units that regular expressions repeat: rereading a long run from each of its positions would take quadratic time. */
const UNITS = [
  ..."0 . , \" ' ( ! ; - $ @ / # : = “ ` a A _".split(" "),
  " ",
  "\n",
  "- ",
  "$1 ",
  "$1,",
  "a@",
  "/a",
  "#1",
  "1/",
  "1:",
  "1.",
  "000,",
  "0.0",
  "1 and ",
  "a, ",
  "a.b ",
  '"a" ',
  "from a to b ",
  "order 1, ",
  "write a ",
  "saying a ",
  "search for ",
  "run a ",
  "May 1 ",
  'title "',
  "run `a` and ",
  "cc a@b.co, ",
  "for two ",
];

/** Names of all kinds of arguments that a prompt may mention. */
const KINDS =
  "amount count quantity price number id order_id account path file folder repo command to from origin destination email channel city location date due time year word pattern query sql title subject body message task code expression language url phone color currency name room items unit answer enabled guests owner labels cc".split(
    " ",
  );

function fifty(kinds: readonly string[], schema: unknown) {
  return Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`${kinds[at % kinds.length]}_${at}`, schema]),
  );
}

const MANY = [
  tool("save_order", fifty(["amount"], { type: "number" })),
  tool("save_order", fifty(KINDS, text)),
  tool("save_order", fifty(KINDS.toReversed(), { type: "array", items: text })),
  tool("save_order", fifty(KINDS, { type: "number" })),
];

describe("a long prompt is read quickly", () => {
  test.each(UNITS)("of %j", (unit) => {
    for (const tail of ["", "x y\n1!a"]) {
      const prompt = `Save order ${unit.repeat(LENGTH / unit.length)}${tail}`;
      for (const many of MANY) {
        const ms = quickMs(() => decide(prompt, { tools: [many], toolChoice: "required" }));
        expect(ms).toBeLessThan(MAX_MS);
      }
      const long = `Save order ${unit.repeat((2.5 * LENGTH) / unit.length)}${tail}`;
      expect(quickMs(() => answer(long, [], createRandom(1)))).toBeLessThan(MAX_MS);
    }
  });

  test.each(["use to ", "use a to ", "please ", "and then use it to ", "help me to "])(
    "with many lead-ins: %j",
    (unit) => {
      const prompt = `${unit.repeat(380 / unit.length)} xx delete_order now`;
      expect(fastestMs(() => decide(prompt, { tools: [tool("delete_order", {})] }))).toBeLessThan(MAX_MS);
    },
  );
});

describe("many tools", () => {
  const many = Array.from({ length: 2000 }, (_, at) =>
    `${(at + 46_656).toString(36)}`.replaceAll(/\d/g, "z"),
  );
  const named = (nameOf: (at: number) => string) =>
    Array.from({ length: 256 }, (_, at) => tool(nameOf(at), { order_id: text }, "Deletes an order"));
  const prompts = [
    many.join(" "),
    "delete order ".repeat(600),
    "delete “".repeat(1000),
    "weather, ".repeat(880),
    "delete \n".repeat(990),
    `delete ${"“".repeat(7900)}`,
    `delete ${"(".repeat(7900)} order`,
  ];

  test("are told apart quickly, even 10,000 that the prompt names", () => {
    const tools = Array.from({ length: 10_000 }, (_, at) => tool(many[at % many.length] ?? "", { id: text }));
    for (const prompt of prompts) expect(quickMs(() => decide(prompt, { tools }))).toBeLessThan(250);
  });

  test.each<[string, (at: number) => string]>([
    ["256 with numbered names", (at) => `delete_order_x${at}`],
    ["256 for one subject", (at) => `weather${at}__weather`],
    ["256 with long names", (at) => `delete_${many.slice(at, at + 38).join("_")}`],
  ])("are told apart quickly: %s", (_name, nameOf) => {
    const tools = named(nameOf);
    // A quarter of a second at most when run alone; in parallel with other tests, the same work takes up to twice as
    // long.
    for (const prompt of prompts) expect(quickMs(() => decide(prompt, { tools }))).toBeLessThan(500);
  });
});

describe("a repetitive schema is filled quickly", () => {
  const filling = "x ".repeat(3900);

  test("with 100,000 items in a list", () => {
    const items = { type: "array", minItems: 100_000, items: { const: 17 } };
    const many = tool("save_order", { order_ids: items });
    expect(
      fastestMs(() => decide(`Save order 17 ${filling}`, { tools: [many], toolChoice: "required" })),
    ).toBeLessThan(250);
  });

  test("with 5,000 options in 256 branches", () => {
    const options = { enum: Array.from({ length: 5000 }, (_, at) => `choice${at}`) };
    const branches = Array.from({ length: 256 }, (_, at) => ({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 16 }, (_, of) => [`p${at}_${of}`, options])),
      required: [`p${at}_0`],
    }));
    const many = tool("save_order", { a: { anyOf: branches } });
    expect(
      fastestMs(() => decide(`choice4999 ${filling}`, { tools: [many], toolChoice: "required" })),
    ).toBeLessThan(250);
  });
});
