import { expect, test } from "bun:test";
import { join } from "node:path";
import { wholeNumber } from "./whole-number.ts";

const ROOT = join(import.meta.dir, "..");

test.each([
  "scripts/faults.ts --only none --rounds 10k",
  "scripts/faults.ts --only none --seeds 0",
  "scripts/faults.ts --only none --seed x",
  "scripts/faults.ts --only none --calls 1e3",
  "scripts/mutation/mutate.ts --only credits --minutes half",
  "test/attacks/fuzz/run.ts --inputs 1m",
  "test/attacks/fuzz/run.ts --inputs 100 --seed x",
  "bench/run.ts overload --seconds 15s",
  "bench/run.ts chat --rounds 0",
  "bench/run.ts scale --rows 1m",
  "bench/run.ts slow-readers --way none --readers 2.5",
])("a number that is none ends the command before anything is tried: %s", async (command) => {
  const { code, said } = await end(command);
  const [option, given] = command.split(" ").slice(-2);
  expect(said).toMatch(
    new RegExp(`^${option} takes a whole number from \\d+ (on|to \\d+), not "${given}"$`, "m"),
  );
  expect(code).toBe(2);
});

test.each(["5/4", "0/4", "1", "a/b"])(
  "a part that is none is not taken for an empty one: %s",
  async (part) => {
    const { code, said } = await end(`scripts/mutation/mutate.ts --only credits --list --part ${part}`);
    expect(said).toContain("--part takes");
    expect(code).toBe(2);
  },
);

test.each([
  ["scripts/mutation/mutate.ts --only typo", "prices"],
  ["scripts/faults.ts --only typo", "fail-points"],
  ["scripts/gallery.ts /nonexistent/gallery typo", "Voices"],
  ["bench/run.ts slow-readers --way typo", "sandbox"],
  ["bench/run.ts scale --only typo", "organizations"],
])("a choice that there is not is refused with those that there are: %s", async (command, one) => {
  const { code, said } = await end(command);
  expect(said).toContain('"typo"');
  expect(said).toContain(one);
  expect(said).not.toContain("    at ");
  expect(code).toBe(2);
});

test.each([
  "scripts/check.ts",
  "scripts/faults.ts",
  "scripts/figures/fill-documents.ts",
  "scripts/gallery.ts",
  "scripts/mutation/mutate.ts",
  "scripts/supply-chain/write-sbom.ts",
  "test/attacks/fuzz/run.ts",
  "test/attacks/run.ts",
  "bench/run.ts ledger",
  "bench/run.ts chat",
  "bench/run.ts efficiency",
  "bench/run.ts fit-estimator",
  "bench/run.ts overload",
  "bench/run.ts peers",
  "bench/run.ts scale",
  "bench/run.ts slow-readers",
])("an option that a command does not have is refused before anything is done: %s", async (command) => {
  const { code, said } = await end(`${command} --typo`);
  expect(said).toContain("--typo");
  expect(said).not.toContain("    at ");
  expect(code).toBe(2);
});

test("a whole number is one in plain digits, from the least that is allowed", () => {
  expect(wholeNumber("--rounds", "10000")).toBe(10_000);
  expect(wholeNumber("--seed", "0", { least: 0 })).toBe(0);
  for (const text of ["", "0", "-1", "1.5", "1e4", "10k", " 7", "0x10", "9".repeat(17), "Infinity"])
    expect(() => wholeNumber("--rounds", text)).toThrow("--rounds takes a whole number from 1 on");
  expect(wholeNumber("--rounds", "99", { most: 99 })).toBe(99);
  expect(() => wholeNumber("--rounds", "100", { most: 99 })).toThrow("from 1 to 99");
});

async function end(command: string): Promise<{ code: number; said: string }> {
  const child = Bun.spawn([process.execPath, ...command.split(" ")], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 10_000,
  });
  const said = await new Response(child.stderr).text();
  return { code: await child.exited, said };
}
