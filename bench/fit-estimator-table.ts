/** Writes the estimator's table: data for the service, with a note of how it was made. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Costs } from "./fit-estimator-costs.ts";
import type { ErrorRow } from "./fit-estimator-errors.ts";
import type { WordFilter } from "./fit-estimator-filter.ts";

const TABLE = join(import.meta.dir, "..", "compaction", "src", "tokens", "token-table.json");

export function writeTable(input: { filter: WordFilter; costs: Costs; total: ErrorRow }): void {
  const { filter, costs, total } = input;
  const { byGroup, bySource } = total;
  const percent = (value: number) => Number(value.toFixed(2));
  const table = {
    made: {
      by: "npm run bench fit-estimator -- --corpus PATH --write",
      on: new Date().toISOString().slice(0, 10),
      from: `${total.conversations} conversations of ${total.tokens} tokens of o200k, and its vocabulary`,
      errorPercent: {
        ownGroupUnseen: { mean: percent(byGroup.mean), p95: percent(byGroup.p95) },
        ownSourceUnseen: { mean: percent(bySource.mean), p95: percent(bySource.p95) },
      },
      read: "The filter holds the words that are one token. Costs are parts of 1,024 of a token: of an unknown word beyond its first, by the class of its last character and its length; of each character of a long word; of a token in another script, known and rare.",
    },
    costs,
    filter: Buffer.from(filter.numbers.buffer).toString("base64"),
  };
  writeFileSync(TABLE, `${JSON.stringify(table, null, 2)}\n`);
  Bun.spawnSync([process.execPath, "x", "biome", "format", "--write", TABLE]);
}
