import { compare, fullTable, paceOf, ratioTable, SCENARIOS } from "./peers/index.ts";
import { renderTable } from "./table.ts";

/** `npm run bench peers` without the peer and the large prompts: CPU per call and added latency, for tuning. */
export async function run(args: readonly string[]): Promise<void> {
  const scenarios = SCENARIOS.filter(({ prompt }) => prompt === "small");
  const { summary, fdatasyncMs } = await compare(scenarios, { ...paceOf(args), withPortkey: false });
  console.log(`fdatasync p50 ${fdatasyncMs.toFixed(2)} ms\n`);
  for (const { header, rows } of [ratioTable(summary, scenarios), fullTable(summary, scenarios)])
    console.log(`${renderTable(header, rows)}\n`);
}
