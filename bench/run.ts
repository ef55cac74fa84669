/** `npm run bench NAME [-- options]`: each bench prints one table. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandOptions, refuse } from "../scripts/command-options.ts";

/** What makes a file of this folder a bench. */
const RUN = /^export (async )?function run\(/m;

const [name, ...options] = process.argv.slice(2);
const names = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  // Some of the other files are programs: importing one would start it.
  .filter((file) => RUN.test(readFileSync(join(import.meta.dir, file), "utf8")))
  .map((file) => file.slice(0, -3))
  .sort();

if (name === undefined || !names.includes(name))
  refuse(`Usage: npm run bench NAME, with NAME one of: ${names.join(", ")}`);
const { run } = await import(join(import.meta.dir, `${name}.ts`));
// A bench without options would ignore any that it is given.
if (run.length === 0) commandOptions(`Usage: npm run bench ${name}`, {}, options);
await run(options);
