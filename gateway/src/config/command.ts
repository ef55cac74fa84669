import { join, relative, resolve, sep } from "node:path";
import { ROOT } from "../kit/index.ts";
import { createEnvReader, type Environment, type EnvReader } from "./env.ts";
import { type Address, isLocalAddress } from "./local-only.ts";

const LAUNCHER = "bin/bursar";
/** Characters with no special meaning in any shell. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * What a person types to run a command: the name under which Bursar was installed, which brings its own settings, or
 * else what npm calls it, or the launcher of a clone, as it is found from where they stand. Includes the data folder if
 * one was set: that variable may not be set in another shell, and without it the launcher would use another database.
 */
export function commandName(env: Environment = process.env, cwd: string = process.cwd()): string {
  return readCommandName(createEnvReader(env, []), cwd);
}

export function readCommand(reader: EnvReader, cwd: string, address: Address) {
  const given = reader.text("BURSAR_COMMAND");
  const commandName = readCommandName(reader, cwd);
  return {
    commandName,
    consoleCommandName: isLocalAddress(address) ? commandName : (given ?? LAUNCHER),
    // Never part of the command itself: it contains a password.
    commandNeedsDatabaseUrl: given === null && reader.text("DATABASE_URL") !== null,
  };
}

function readCommandName(reader: EnvReader, cwd: string): string {
  const given = reader.text("BURSAR_COMMAND");
  const dataDir = reader.text("BURSAR_DATA_DIR");
  if (given !== null) return given;
  const launcher = launcherOf(cwd);
  return dataDir === null ? launcher : `BURSAR_DATA_DIR=${shellWord(resolve(cwd, dataDir))} ${launcher}`;
}

function launcherOf(cwd: string): string {
  if (ROOT.split(sep).includes("node_modules")) return "npx bursar";
  return relative(cwd, ROOT) === "" ? LAUNCHER : shellWord(join(ROOT, LAUNCHER));
}

function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
