import type { InspectedConfig } from "../config/index.ts";
import type { CliHost } from "./cli-host.ts";
import { alignColumns } from "./columns.ts";
import type { Command } from "./command.ts";
import { type Check, untried } from "./doctor/check.ts";
import { checkDatabase, type DatabaseChecks } from "./doctor/database.ts";
import { checkMail } from "./doctor/mail.ts";
import { checkPayments } from "./doctor/payments.ts";
import { checkPort } from "./doctor/port.ts";
import { checkProviders } from "./doctor/providers.ts";
import { checkPublicAddress } from "./doctor/public-address.ts";
import { checkSettings, isWrongSetting } from "./doctor/settings.ts";
import { checkStorage } from "./doctor/storage.ts";
import { checkTracing } from "./doctor/tracing.ts";
import type { Paint, Style } from "./terminal.ts";
import { countText } from "./wording.ts";

export const doctorCommand: Command = {
  path: ["doctor"],
  about: "Check settings, database, storage and providers, and say what to fix.",
  notes:
    "Exits with 1 if something is broken. Starts an existing database but never creates one; makes only free requests to providers and leaves nothing running.",
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

const NO_DATABASE: DatabaseChecks = {
  checks: [untried("database", "DATABASE_URL has to be corrected first")],
  servedBy: null,
};

/**
 * A fault in one place does not hide the rest: each check runs on the settings as far as they could be read. Checks of
 * a setting that is wrong are left out, since they would judge its fallback.
 */
async function examine(host: CliHost): Promise<Check[]> {
  const inspected = whereItServes(host);
  const { config } = inspected;
  const isWrong = (...names: string[]) => names.some((name) => isWrongSetting(inspected, name));
  const catalog = host.inspectCatalog(config);
  const offered = catalog.loaded.outcome === "ok" ? catalog.loaded.catalog : null;
  const [trials, storage, database] = await Promise.all([
    host.tryProviders(config),
    checkStorage(config),
    isWrong("DATABASE_URL") ? NO_DATABASE : checkDatabase(config, host.openDatabase, offered),
  ]);
  return [
    ...checkSettings(inspected, catalog.loaded),
    ...(isWrong("BURSAR_ENV") ? [] : checkPublicAddress(config)),
    ...storage,
    ...database.checks,
    ...(isWrong("HOST", "PORT") ? [] : [await checkPort(config, database.servedBy)]),
    ...checkProviders(config, catalog, trials).filter(
      ({ name }) => name !== "models" || !isWrong("BURSAR_ENV"),
    ),
    ...(isWrong("BURSAR_ENV") ? [] : [checkPayments(config)]),
    await checkMail(config),
    ...(await checkTracing(config)),
  ];
}

/** A gateway that runs may have been started with another port than this command was. */
function whereItServes(host: CliHost): InspectedConfig {
  const inspected = host.inspectConfig();
  const publicUrl = host.servedAddress(inspected.config);
  const port = inspected.config.publicUrlGiven ? inspected.config.port : Number(new URL(publicUrl).port);
  return { ...inspected, config: { ...inspected.config, publicUrl, port } };
}

const STYLES: Readonly<Record<Check["state"], Style>> = {
  ok: "green",
  untried: "dim",
  warning: "yellow",
  broken: "red",
};

function lines(check: Check, paint: Paint): string[][] {
  const first = [paint(STYLES[check.state], check.state), check.name, check.finding];
  return check.fix === null ? [first] : [first, ["", "", paint("dim", `→ ${check.fix}`)]];
}

function verdict(checks: readonly Check[]): string {
  const brokenOnes = checks.filter((check) => check.state === "broken").length;
  const warnings = checks.filter((check) => check.state === "warning").length;
  const look = warnings === 0 ? "" : `${countText(warnings, "thing is", "things are")} worth a look.`;
  if (brokenOnes === 0) return look === "" ? inOrder(checks) : `Nothing is broken; ${look}`;
  const lead = `${countText(brokenOnes, "thing is", "things are")} broken`;
  return look === "" ? `${lead}.` : `${lead}; ${look}`;
}

function inOrder(checks: readonly Check[]): string {
  return checks.some((check) => check.state === "untried")
    ? "Everything that could be tried is in order."
    : "Everything is in order.";
}
