import { type AuditReport, verifyLedger } from "../ledger/index.ts";
import { withoutVerdict } from "./cli-error.ts";
import { withServices } from "./cli-host.ts";
import { alignColumns } from "./columns.ts";
import type { Command, CommandInput, CommandOutput } from "./command.ts";
import { findOrganization } from "./operator-services.ts";
import type { Paint } from "./terminal.ts";
import { countText } from "./wording.ts";

/** Groups of organizations verified in parallel: the operator waits, and the database has cores to spare. */
const AT_ONCE = 4;

/** Exits with 1 if a fault was found, so that a cron job notices; with 2 if it could not look. */
const verifyCommand: Command = {
  path: ["ledger", "verify"],
  about: "Replay the ledger and compare it with every balance, hold and usage figure.",
  notes:
    "Finds any row that was changed by hand. Safe while the gateway runs. Exits with 1 if it found a fault, with 2 if it could not check.",
  flags: [
    { name: "org", value: "ORG", about: "only this one, by id or slug (default: all)" },
    {
      name: "since-checkpoint",
      value: null,
      about: "only what is new since the last sound verification; quicker, and blind to older changes",
    },
  ],
  async run(input) {
    try {
      return await verify(input);
    } catch (error) {
      throw withoutVerdict(error);
    }
  },
};

function verify({ flags, host, paint }: CommandInput): Promise<CommandOutput> {
  return withServices(host, async (services) => {
    const orgText = flags.text("org");
    const organization = orgText === undefined ? undefined : await findOrganization(services, orgText);
    const report = await verifyLedger(services.db, {
      orgId: organization?.id,
      sinceCheckpoint: flags.has("since-checkpoint"),
      atOnce: AT_ONCE,
    });
    const verdict = verdictText(report, paint);
    const isSound = report.faults.length === 0;
    return {
      json: {
        ok: isSound,
        organizations: report.organizations,
        entries: report.entries,
        faults: report.faults.map(({ orgId, ...fault }) => ({ org_id: orgId, ...fault })),
        checkpoints_skipped: report.skipsCheckpoints,
      },
      text: report.skipsCheckpoints ? `${verdict}\n${NO_CHECKPOINT}` : verdict,
      exitCode: isSound ? 0 : 1,
    };
  });
}

export const ledgerCommands: readonly Command[] = [verifyCommand];

const NO_CHECKPOINT = "The database takes no writes: no checkpoint was saved.";

function verdictText(report: AuditReport, paint: Paint): string {
  const { length } = report.faults;
  if (length === 0)
    return `${paint("green", "The ledger is sound:")} ${scopeText(report)} replayed, everything adds up.`;
  return `${paint("red", `${countText(length, "fault")} found`)} in ${scopeText(report)}:\n\n${faultLines(report)}`;
}

function scopeText(report: AuditReport): string {
  return `${countText(report.entries, "entry", "entries")} of ${countText(report.organizations, "organization")}`;
}

function faultLines(report: AuditReport): string {
  return alignColumns(
    report.faults.map((fault) => [`  ${fault.orgId ?? "all"}`, `${fault.table} ${fault.row}`, fault.what]),
  );
}
