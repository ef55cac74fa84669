import { expect, test } from "bun:test";
import { join } from "node:path";

test("every bench in the printed list can be run, and an unknown name prints the list", async () => {
  const { code, said } = await bench();
  expect(code).toBe(2);
  const offered = said.trim().split(": ").at(-1)?.split(", ") ?? [];
  for (const name of offered)
    expect(await Bun.file(join(import.meta.dir, `${name}.ts`)).text()).toContain(" function run(");
  expect(offered).toContain("ledger");
  expect(await bench("billed-proxy")).toEqual({ code, said });
});

async function bench(...args: string[]): Promise<{ code: number; said: string }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "run.ts"), ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 10_000,
  });
  const said = await new Response(child.stderr).text();
  return { code: await child.exited, said };
}
