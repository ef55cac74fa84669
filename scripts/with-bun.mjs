import { runBun } from "./launch.mjs";

await runBun(process.argv.slice(2), { forDevelopment: true });
