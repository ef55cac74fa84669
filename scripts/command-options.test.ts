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
  "bench/run.ts slow-readers --way none --readers 2.5",
])("a number that is none ends the command before anything is tried: %s", async (command) => {
  const { code, said } = await end(command);
  const [option, given] = command.split(" ").slice(-2);
  expect(said).toMatch(new RegExp(`^${option} takes a whole number from [01] on, not "${given}"$`, "m"));
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

test("a whole number is one in plain digits, from the least that is allowed", () => {
  expect(wholeNumber("--rounds", "10000")).toBe(10_000);
  expect(wholeNumber("--seed", "0", 0)).toBe(0);
  for (const text of ["", "0", "-1", "1.5", "1e4", "10k", " 7", "0x10", "9".repeat(17), "Infinity"])
    expect(() => wholeNumber("--rounds", text)).toThrow("--rounds takes a whole number from 1 on");
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
