/**
 * Loaded before a gateway: its own clock, and nobody else's, is moved by what stands in a file, whenever the process
 * gets SIGUSR2. The ids that it makes move along: Bun reads the time for them past `Date`. What it measures with
 * `performance.now` goes on as it was, as with a real clock that is set.
 */
import { readFileSync } from "node:fs";

const path = process.env["BURSAR_TEST_CLOCK"];
const TrueDate = Date;
const trueId = Bun.randomUUIDv7;
let offsetMs = 0;

const now = () => TrueDate.now() + offsetMs;

if (path !== undefined) {
  globalThis.Date = new Proxy(TrueDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  Object.assign(Bun, { randomUUIDv7: () => trueId("hex", now()) });
  process.on("SIGUSR2", () => {
    offsetMs = Number(readFileSync(path, "utf8"));
  });
}
