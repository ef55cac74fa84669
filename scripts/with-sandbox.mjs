#!/usr/bin/env node
import { join } from "node:path";
import { SANDBOX } from "./install-dependencies.mjs";
import { runBun } from "./launch.mjs";

const program = join(SANDBOX.folder, "bin", "bursar-sandbox");
await runBun([program, ...process.argv.slice(2)], { forDevelopment: false, parts: [SANDBOX] });
