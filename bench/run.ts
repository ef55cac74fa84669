/** `npm run bench NAME [-- options]`: each bench prints one table. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

const [name, ...options] = process.argv.slice(2);
const SUPPORT = new Set([
  "run",
  "table",
  "bench-database",
  "fdatasync",
  "process-cpu",
  "load",
  "load-clients",
  "http-answer",
  "upstream",
  "bare-proxy",
  "baselines",
  "gateway",
  "overload-clients",
  "exact-tokens",
  "efficiency-conversation",
  "efficiency-corpus",
  "efficiency-cpu",
  "efficiency-neutral",
  "fit-estimator-costs",
  "fit-estimator-errors",
  "fit-estimator-filter",
  "fit-estimator-samples",
  "fit-estimator-table",
  "fit-estimator-tally",
  "slow-readers-clients",
  "probe",
  "slow-readers-upstream",
  "media-works",
  "media-references",
]);
const names = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => file.slice(0, -3))
  .filter((file) => !SUPPORT.has(file))
  .sort();

if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench NAME, with NAME one of: ${names.join(", ")}`);
  process.exit(2);
}
const { run } = await import(join(import.meta.dir, `${name}.ts`));
await run(options);
