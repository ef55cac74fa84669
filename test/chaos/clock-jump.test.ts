import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CLOCK_JUMP = join(import.meta.dir, "clock-jump.ts");
const ID = join(import.meta.dir, "..", "..", "gateway", "src", "kit", "id.ts");
const HOUR_MS = 3_600_000;
const SLACK_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), "bursar-clock-jump-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Prints what a process takes for the time, before and after its clock is set: by `Date`, and by an id that it makes.
 */
const SCRIPT = `
  import { newId } from ${JSON.stringify(ID)};
  const read = () => console.log(JSON.stringify([Date.now(), parseInt(newId().replaceAll("-", "").slice(0, 12), 16)]));
  read();
  process.on("SIGUSR2", () => { read(); process.exit(0); });
  process.kill(process.pid, "SIGUSR2");
  setTimeout(() => {}, 60_000);
`;

test.each([-26, 26])(
  "the simulated clock jump of %i hours moves the dates and the new ids of a process",
  async (hours) => {
    const clock = join(folder, "clock");
    const script = join(folder, "script.ts");
    writeFileSync(clock, String(hours * HOUR_MS));
    writeFileSync(script, SCRIPT);
    const begun = Date.now();
    const child = Bun.spawn([process.execPath, "--preload", CLOCK_JUMP, script], {
      env: { BURSAR_TEST_CLOCK: clock },
      stdout: "pipe",
    });
    const lines = (await new Response(child.stdout).text()).trim().split("\n");
    const seen = lines.map((line) => (JSON.parse(line) as number[]).map((ms) => ms - begun));
    const isNear = (ms: number, offsetMs: number) => Math.abs(ms - offsetMs) < SLACK_MS;
    expect(seen.map((both) => both.map((ms) => [0, hours].find((by) => isNear(ms, by * HOUR_MS))))).toEqual([
      [0, 0],
      [hours, hours],
    ]);
  },
);
