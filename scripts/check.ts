import { commandOptions } from "./command-options.ts";
import { runChecks } from "./run-checks.ts";

commandOptions("Usage: npm run check", {});
const failed = await runChecks();
process.exit(failed.length === 0 ? 0 : 1);
