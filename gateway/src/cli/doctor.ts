import { connect } from "node:net";
import type { LoadedCatalog } from "../catalog/index.ts";
import type { Config, InspectedConfig } from "../config/index.ts";
import { tracesEndpoint } from "../telemetry/index.ts";
import type { CliHost } from "./cli-host.ts";
import { alignColumns } from "./columns.ts";
import type { Command } from "./command.ts";
import { broken, type Check, fine, reasonOf, untried, warning } from "./doctor/check.ts";
import { checkDatabase, type DatabaseChecks } from "./doctor/database.ts";
import { checkPayments } from "./doctor/payments.ts";
import { checkPort } from "./doctor/port.ts";
import { checkProviders } from "./doctor/providers.ts";
import { checkStorage } from "./doctor/storage.ts";
import type { Paint, Style } from "./terminal.ts";
import { countText } from "./wording.ts";

const ANSWER_TIMEOUT_MS = 3_000;

/** Connects and sends nothing; null if accepted. Sockets take an IPv6 address without the brackets of a URL. */
function tryToConnect({ hostname, port }: { hostname: string; port: number }): Promise<Error | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port });
    const finish = (problem: Error | null) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(problem);
    };
    // The socket's own timeout starts only after the name is resolved.
    const limit = setTimeout(() => finish(new Error("no answer in time")), ANSWER_TIMEOUT_MS);
    socket.once("connect", () => finish(null));
    socket.on("error", finish);
  });
}

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

/** Settings of the environment and the file, including the catalog's sections. */
function checkSettings({ config, problems }: InspectedConfig, catalog: LoadedCatalog): Check[] {
  const checks = problems.map((problem) => broken("settings", problem, "Correct this setting."));
  if (catalog.outcome === "refused") {
    checks.push(
      ...catalog.problems.map((problem) => broken("catalog", problem, `Correct it in ${config.configPath}.`)),
    );
  }
  for (const name of config.unknownNames) {
    checks.push(warning("settings", `${name} is not a setting`, "Check its spelling, or unset it."));
  }
  if (checks.length > 0) return checks;
  return [fine("settings", `${config.environment}, ${config.publicUrl}`)];
}

/** Each problem begins with the name of its setting. */
function isWrongSetting({ problems }: InspectedConfig, name: string): boolean {
  return problems.some((problem) => problem.startsWith(`${name}:`));
}

type Address = Pick<Config, "environment" | "publicUrl" | "publicUrlGiven" | "trustedProxies">;

/** The address given out to others; empty on a developer's machine, which has none. */
function checkPublicAddress(address: Address): Check[] {
  const { environment, publicUrl, publicUrlGiven } = address;
  if (environment !== "production") return [];
  if (publicUrl.startsWith("https://")) return [fine("public address", publicUrl), ...checkProxy(address)];
  const finding = publicUrlGiven
    ? `${publicUrl}: keys and links travel in the clear`
    : `BURSAR_PUBLIC_URL is not set: links and files are handed out as ${publicUrl}`;
  const fix = "Set BURSAR_PUBLIC_URL to the public https address.";
  return [warning("public address", finding, fix)];
}

/** The gateway does not speak TLS, so an https address needs a proxy in front that does. */
function checkProxy({ trustedProxies }: Address): Check[] {
  if (trustedProxies.length > 0) return [];
  return [
    warning(
      "proxy",
      "TRUSTED_PROXIES is not set: every caller seems to have the address of the TLS proxy in front",
      "Set TRUSTED_PROXIES to its addresses, and let it send X-Forwarded-For.",
    ),
  ];
}

/** Default ports, if the URL names none. */
const TLS_PORT = 465;
const PLAIN_PORT = 587;

/** Only connects to the mail server: does not sign in, and sends no email. */
async function checkMail({ mail }: Pick<Config, "mail">): Promise<Check> {
  if (mail === null) return fine("mail", "none is sent: links and notices are shown in the console only");
  const { protocol, hostname, port } = new URL(mail.url);
  const isTls = protocol === "smtps:";
  const place = { hostname, port: Number(port) || (isTls ? TLS_PORT : PLAIN_PORT) };
  const problem = await tryToConnect(place);
  if (problem === null) return fine("mail", `through ${hostname}${isTls ? " (TLS)" : ""}, from ${mail.from}`);
  return warning(
    "mail",
    `nothing answers at ${hostname}:${place.port} (${reasonOf(problem)})`,
    "Check host and port of SMTP_URL, and that no firewall blocks them.",
  );
}

/** Where spans go, and whether something accepts connections there; sends nothing. Empty if tracing is off. */
async function checkTracing({ otel }: Pick<Config, "otel">): Promise<Check[]> {
  const endpoint = tracesEndpoint(otel);
  if (endpoint === null) return [];
  if ("wrong" in endpoint) {
    const fix = "Correct it, such as http://127.0.0.1:4318, or unset it.";
    return [warning("tracing", `nothing is traced: ${endpoint.wrong}`, fix)];
  }
  const { host, hostname, port, protocol } = new URL(endpoint.url);
  const problem = await tryToConnect({
    hostname,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  });
  if (problem === null) return [fine("tracing", `spans go to ${host}`)];
  return [
    warning(
      "tracing",
      `spans are lost: nothing answers at ${host} (${reasonOf(problem)})`,
      "Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT; it is reached without a proxy.",
    ),
  ];
}

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
