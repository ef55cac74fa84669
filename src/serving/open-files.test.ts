import { expect, test } from "bun:test";
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../test/test-folder.ts";
import { createMetrics } from "../telemetry/index.ts";
import { registerFileGauges } from "./open-files.ts";

const LIMITS =
  "Limit                     Soft Limit           Hard Limit           Units\nMax open files            ";

/** What is logged for a process with this limit and these open files, according to the system. */
function toldOf(limit: string, open: readonly string[] | null) {
  const folder = makeTestFolder();
  writeFileSync(join(folder, "limits"), `${LIMITS}${limit}                 4096                 files\n`);
  if (open !== null) mkdirSync(join(folder, "fd"));
  for (const name of open ?? []) writeFileSync(join(folder, "fd", name), "");
  const metrics = createMetrics();
  registerFileGauges(metrics, folder);
  const told = figuresOf(metrics.render());
  rmSync(folder, { recursive: true });
  return { told, metrics };
}

const figuresOf = (text: string) => text.match(/^bursar_open_files.*$/gm) ?? [];

test("the files that are open are told, without the one that is open to count them, and how many may be", () => {
  expect(toldOf("1024", ["0", "1", "2", "3", "4"]).told).toEqual([
    "bursar_open_files 4",
    "bursar_open_files_limit 1024",
  ]);
});

test("where they cannot even be counted, none is left", () => {
  expect(toldOf("1024", null).told).toEqual(["bursar_open_files 1024", "bursar_open_files_limit 1024"]);
});

test("where there is no limit, nothing is told", () => {
  expect(toldOf("unlimited", ["0"]).told).toEqual([]);
});

test("a system that says nothing of it is not asked", () => {
  const metrics = createMetrics();
  registerFileGauges(metrics, "/nowhere");
  expect(metrics.render()).toBe("");
});

test("of several processes the one that has most of them speaks", () => {
  const { metrics } = toldOf("1024", ["0", "1", "2"]);
  const line = (name: string, figure: number) => `# TYPE ${name} gauge\n${name} ${figure}\n`;
  const text = (open: number) => line("bursar_open_files", open) + line("bursar_open_files_limit", 1024);
  expect(figuresOf(metrics.merge([text(7), text(90), text(30)]))).toEqual(figuresOf(text(90)));
});

test.skipIf(process.platform !== "linux")("each file that this process opens is one more", () => {
  const metrics = createMetrics();
  registerFileGauges(metrics);
  const open = () => Number(/^bursar_open_files (\d+)$/m.exec(metrics.render())?.[1]);
  const before = open();
  const files = Array.from({ length: 50 }, () => openSync("/dev/null", "r"));
  expect(open() - before).toBeWithin(40, 61);
  files.forEach(closeSync);
});
