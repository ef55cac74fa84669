import { soundConfig } from "../config/index.ts";
import { migrate } from "../db/index.ts";
import { silentLog } from "../telemetry/index.ts";
import type { Command } from "./command.ts";
import { countText } from "./wording.ts";

export const migrateCommand: Command = {
  path: ["migrate"],
  about: "Bring the database up to this version.",
  notes:
    "`bursar serve` does this automatically; other commands tell you when it is needed. Safe while the gateway runs.",
  flags: [],
  async run({ host }) {
    const config = soundConfig(host.inspectConfig());
    const db = await host.openDatabase(config);
    try {
      const { applied } = await migrate(db, silentLog);
      return {
        json: { applied, count: applied.length },
        text:
          applied.length === 0
            ? "The database is up to date."
            : `${countText(applied.length, "migration")} applied:\n\n${applied.map((name) => `  ${name}`).join("\n")}`,
      };
    } finally {
      await db.close();
    }
  },
};
