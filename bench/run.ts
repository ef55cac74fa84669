/** `npm run bench NAME [-- options]`: each bench prints one table. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What makes a file of this folder a bench. */
const RUN = /^export (async )?function run\(/m;

const [name, ...options] = process.argv.slice(2);
const names = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  // Some of the others are programs of their own: to import one would start it.
  .filter((file) => RUN.test(readFileSync(join(import.meta.dir, file), "utf8")))
  .map((file) => file.slice(0, -3))
  .sort();

if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench NAME, with NAME one of: ${names.join(", ")}`);
  process.exit(2);
}
const { run } = await import(join(import.meta.dir, `${name}.ts`));
await run(options);
