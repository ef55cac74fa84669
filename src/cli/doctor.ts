import { organizationsNamedBy } from "../catalog/index.ts";
import type { CliHost } from "./cli-host.ts";
import { alignColumns } from "./columns.ts";
import type { Command } from "./command.ts";
import type { Check } from "./doctor/check.ts";
import { checkDatabase } from "./doctor/database.ts";
import { checkMail } from "./doctor/mail.ts";
import { checkPayments } from "./doctor/payments.ts";
import { checkPort } from "./doctor/port.ts";
import { checkProviders } from "./doctor/providers.ts";
import { checkPublicAddress } from "./doctor/public-address.ts";
import { checkSettings } from "./doctor/settings.ts";
import { checkStorage } from "./doctor/storage.ts";
import { checkTracing } from "./doctor/tracing.ts";
import type { Paint, Style } from "./terminal.ts";
import { countText } from "./wording.ts";

export const doctorCommand: Command = {
  path: ["doctor"],
  about: "Check settings, database, storage and providers, and say what to fix.",
  notes:
    "Exit code 1 when something is broken. Starts the database if there is one but creates none, leaves nothing behind and spends nothing.",
  flags: [],
  async run({ host, paint }) {
    const checks = await examine(host);
    const isBroken = checks.some((check) => check.state === "broken");
    return {
      json: { ok: !isBroken, checks },
      text: `${alignColumns(checks.flatMap((check) => lines(check, paint)))}\n\n${verdict(checks)}`,
      exitCode: isBroken ? 1 : 0,
    };
  },
};

/** What is broken does not hide the rest: each check runs on the settings as far as they could be read. */
async function examine(host: CliHost): Promise<Check[]> {
  const inspected = host.inspectConfig();
  const { config } = inspected;
  const catalog = host.inspectCatalog(config);
  const storage = await checkStorage(config);
  const organizations =
    catalog.loaded.outcome === "ok" ? organizationsNamedBy(catalog.loaded.catalog) : new Set<string>();
  const database = await checkDatabase(config, host.openDatabase, organizations);
  return [
    ...checkSettings(inspected, catalog.loaded),
    ...checkPublicAddress(config),
    ...storage,
    ...database.checks,
    await checkPort(config, database.servedBy),
    ...checkProviders(config, catalog),
    checkPayments(config),
    await checkMail(config),
    ...checkTracing(config),
  ];
}

const STYLES: Readonly<Record<Check["state"], Style>> = { ok: "green", warning: "yellow", broken: "red" };

function lines(check: Check, paint: Paint): string[][] {
  const first = [paint(STYLES[check.state], check.state), check.name, check.found];
  return check.mend === null ? [first] : [first, ["", "", paint("dim", `→ ${check.mend}`)]];
}

function verdict(checks: readonly Check[]): string {
  const brokenOnes = checks.filter((check) => check.state === "broken").length;
  const warnings = checks.filter((check) => check.state === "warning").length;
  const look = warnings === 0 ? "" : `${countText(warnings, "thing is", "things are")} worth a look.`;
  if (brokenOnes === 0) return look === "" ? "Everything is in order." : `Nothing is broken; ${look}`;
  const mend = `${countText(brokenOnes, "thing is", "things are")} broken`;
  return look === "" ? `${mend}.` : `${mend}; ${look}`;
}
