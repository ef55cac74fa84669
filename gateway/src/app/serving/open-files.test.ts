import { expect, test } from "bun:test";
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../../../test/test-folder.ts";
import { createMetrics } from "../../telemetry/index.ts";
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

test("open files are counted, without the one used to count them, beside their limit", () => {
  expect(toldOf("1024", ["0", "1", "2", "3", "4"]).told).toEqual([
    "bursar_open_files 4",
    "bursar_open_files_limit 1024",
  ]);
});

test("if open files cannot be counted, all count as used", () => {
  expect(toldOf("1024", null).told).toEqual(["bursar_open_files 1024", "bursar_open_files_limit 1024"]);
});

test("without a limit nothing is reported", () => {
  expect(toldOf("unlimited", ["0"]).told).toEqual([]);
});

test("a system without these figures reports nothing", () => {
  const metrics = createMetrics();
  registerFileGauges(metrics, "/nowhere");
  expect(metrics.render()).toBe("");
});

test("merged metrics show the process with the most open files", () => {
  const { metrics } = toldOf("1024", ["0", "1", "2"]);
  const line = (name: string, figure: number) => `# TYPE ${name} gauge\n${name} ${figure}\n`;
  const text = (open: number) => line("bursar_open_files", open) + line("bursar_open_files_limit", 1024);
  expect(figuresOf(metrics.merge([text(7), text(90), text(30)]))).toEqual(figuresOf(text(90)));
});

test.skipIf(process.platform !== "linux")("each file that this process opens is counted", () => {
  const metrics = createMetrics();
  registerFileGauges(metrics);
  const open = () => Number(/^bursar_open_files (\d+)$/m.exec(metrics.render())?.[1]);
  const before = open();
  const files = Array.from({ length: 50 }, () => openSync("/dev/null", "r"));
  expect(open() - before).toBeWithin(40, 61);
  files.forEach(closeSync);
});
