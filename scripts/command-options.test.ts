import { expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { partOption, wholeNumber } from "./command-options.ts";

const ROOT = join(import.meta.dir, "..");

/** Imported into this process: starting each of them as a process for every case took most of the time. */
const BENCHES: Readonly<Record<string, () => Promise<{ run(args: readonly string[]): Promise<void> }>>> = {
  chat: () => import("../bench/chat.ts"),
  efficiency: () => import("../bench/efficiency.ts"),
  "fit-estimator": () => import("../bench/fit-estimator.ts"),
  overload: () => import("../bench/overload.ts"),
  peers: () => import("../bench/peers.ts"),
  scale: () => import("../bench/scale.ts"),
  "slow-readers": () => import("../bench/slow-readers.ts"),
};

test.each([
  "scripts/faults.ts --only none --rounds 10k",
  "scripts/mutation/mutate.ts --only credits --minutes half",
  "test/attacks/fuzz/run.ts --inputs 100 --seed x",
  "bench overload --seconds 15s",
  "bench overload --times 0",
  "bench overload --tokens 1e3",
  "bench chat --rounds 0",
  "bench scale --rows 1m",
  "bench scale --only rows --calls 1e4",
  "bench slow-readers --way none --readers 2.5",
  "bench slow-readers --minutes half",
])("an invalid number ends the command: %s", async (command) => {
  const { code, said } = await end(command);
  const [option, given] = command.split(" ").slice(-2);
  expect(said).toMatch(
    new RegExp(`^${option} takes a whole number from \\d+ (on|to \\d+), not "${given}"$`, "m"),
  );
  expect(code).toBe(2);
});

test("an invalid part is refused", async () => {
  for (const text of ["5/4", "0/4", "1", "a/b", "1/4/4", ""]) {
    const { code, said } = await refusalOf(() => partOption("--part", text));
    expect([text, code, said]).toEqual([
      text,
      2,
      `--part takes one of several, such as 1/4, not "${text}"\n`,
    ]);
  }
  expect(partOption("--part", "4/4")).toEqual({ which: 4, of: 4 });
  const { code, said } = await end("scripts/mutation/mutate.ts --only credits --list --part 5/4");
  expect(said).toContain("--part takes");
  expect(code).toBe(2);
});

test.each([
  ["scripts/mutation/mutate.ts --only typo", "prices"],
  ["scripts/faults.ts --only typo", "fail-points"],
  ["scripts/gallery.ts /nonexistent/gallery typo", "Voices"],
  ["bench slow-readers --way typo", "sandbox"],
  ["bench scale --only typo", "organizations"],
])("an unknown choice is refused with the known ones: %s", async (command, one) => {
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
  ...Object.keys(BENCHES).map((name) => `bench ${name}`),
])("an unknown option is refused: %s", async (command) => {
  const { code, said } = await end(`${command} --typo`);
  expect(said).toContain("--typo");
  expect(said).not.toContain("    at ");
  expect(code).toBe(2);
});

test("test/attacks/run.ts --help exits with 0", async () => {
  expect(await end("test/attacks/run.ts --help")).toEqual({ code: 0, said: "" });
});

test("wholeNumber accepts plain digits within its range", () => {
  expect(wholeNumber("--rounds", "10000")).toBe(10_000);
  expect(wholeNumber("--seed", "0", { least: 0 })).toBe(0);
  for (const text of ["", "0", "-1", "1.5", "1e4", "10k", " 7", "0x10", "9".repeat(17), "Infinity"])
    expect(() => wholeNumber("--rounds", text)).toThrow("--rounds takes a whole number from 1 on");
  expect(wholeNumber("--rounds", "99", { most: 99 })).toBe(99);
  expect(() => wholeNumber("--rounds", "100", { most: 99 })).toThrow("from 1 to 99");
});

type End = { readonly code: number; readonly said: string };

async function end(command: string): Promise<End> {
  const [first = "", name = "", ...args] = command.split(" ");
  if (first === "bench") return refusalOf(async () => (await BENCHES[name]?.())?.run(args));
  const child = Bun.spawn([process.execPath, ...command.split(" ")], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 10_000,
  });
  const said = await new Response(child.stderr).text();
  return { code: await child.exited, said };
}

/** The message and exit code of code that would end its process; here the process goes on. */
async function refusalOf(read: () => unknown): Promise<End> {
  let said = "";
  const ended = new Error("the end of the process");
  const ending = { code: 0 };
  const spies = [
    spyOn(console, "error").mockImplementation((text: unknown) => {
      said += `${text}\n`;
    }),
    spyOn(process, "exit").mockImplementation((code) => {
      ending.code = Number(code);
      throw ended;
    }),
  ];
  try {
    await read();
  } catch (error) {
    if (error !== ended) throw error;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { code: ending.code, said };
}
