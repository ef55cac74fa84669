import { resolve } from "node:path";
import { createEnvReader, type Environment, type EnvReader } from "./env.ts";
import { type Address, isLocalAddress } from "./local-only.ts";

const LAUNCHER = "bin/bursar";
/** What no shell reads as anything but itself. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * What a person types to run a command: the launcher of a clone, unless it was installed under another name, which brings
 * its own settings. With the data folder where one was set: nobody knows for how long it was, and without it the launcher
 * works on another database.
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
    // Never part of the command itself: there is a password in it.
    commandNeedsDatabaseUrl: given === null && reader.text("DATABASE_URL") !== null,
  };
}

function readCommandName(reader: EnvReader, cwd: string): string {
  const given = reader.text("BURSAR_COMMAND");
  const dataDir = reader.text("BURSAR_DATA_DIR");
  if (given !== null || dataDir === null) return given ?? LAUNCHER;
  return `BURSAR_DATA_DIR=${shellWord(resolve(cwd, dataDir))} ${LAUNCHER}`;
}

function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
