import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CONVERSATION = { id: "1", source: "s", group: "g", messages: [{ role: "user", content: "hello" }] };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bursar-corpus-"));
  mkdirSync(join(folder, "none"));
  mkdirSync(join(folder, "all"));
  writeFileSync(join(folder, "plain.gz"), "not packed");
  writeFileSync(join(folder, "cut.jsonl"), `${JSON.stringify(CONVERSATION)}\n\n{"id": "2", "mess`);
  writeFileSync(join(folder, "other.jsonl"), '{"a": 1}\n');
  writeFileSync(join(folder, "empty.jsonl"), "\n");
  for (const name of ["good.jsonl.gz", "all/good.jsonl.gz"])
    writeFileSync(join(folder, name), Bun.gzipSync(`${JSON.stringify(CONVERSATION)}\n`));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["none", "There is no corpus in the folder"],
  ["missing.jsonl", "There is no corpus at"],
  ["plain.gz", "plain.gz cannot be read: incorrect header check"],
  ["cut.jsonl", "Line 3 of"],
  ["other.jsonl", "Line 1 of"],
  ["empty.jsonl", "There is no conversation in"],
])("an invalid corpus is reported in one line: %p", async (name, says) => {
  const { code, said } = await measure(join(folder, name));
  expect(said).toContain(says);
  expect(said.trimEnd()).not.toContain("\n");
  expect(code).toBe(2);
});

test.each(["good.jsonl.gz", "all"])("a gzipped corpus is read, or all of a folder: %s", async (name) => {
  expect(await measure(join(folder, name))).toEqual({ code: 0, said: "" });
});

async function measure(corpus: string): Promise<{ code: number; said: string }> {
  const bench = join(import.meta.dir, "run.ts");
  const child = Bun.spawn([process.execPath, bench, "efficiency", "--corpus", corpus], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 10_000,
  });
  const said = await new Response(child.stderr).text();
  return { code: await child.exited, said };
}
