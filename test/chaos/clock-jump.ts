/**
 * Preloaded into a gateway: whenever the process gets SIGUSR2, its own clock is moved by the offset in a file. Ids are
 * moved separately, because Bun makes them without `Date`. `performance.now` stays, as when a real clock is set.
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
