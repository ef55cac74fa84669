import { backupCommand } from "./backup/backup.ts";
import { restoreCommand } from "./backup/restore.ts";
import { clockCommands } from "./clock.ts";
import type { Command } from "./command.ts";
import { creditsCommands } from "./credits.ts";
import { doctorCommand } from "./doctor.ts";
import { efficiencyCommands } from "./efficiency.ts";
import { keyCommands } from "./key.ts";
import { ledgerCommands } from "./ledger.ts";
import { memberCommands } from "./member.ts";
import { migrateCommand } from "./migrate.ts";
import { modelsCommand } from "./models.ts";
import { orgCommands } from "./org.ts";
import { serveCommand } from "./serve.ts";

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  doctorCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  ...orgCommands,
  ...keyCommands,
  ...memberCommands,
  ...creditsCommands,
  ...ledgerCommands,
  ...clockCommands,
  modelsCommand,
  ...efficiencyCommands,
];
