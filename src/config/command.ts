import { createEnvReader, type Environment, type EnvReader } from "./env.ts";

/** What a person types to run a command: the launcher of a clone, unless it was installed under another name. */
export function commandName(env: Environment = process.env): string {
  return readCommandName(createEnvReader(env, []));
}

export function readCommandName(reader: EnvReader): string {
  return reader.text("BURSAR_COMMAND") ?? "bin/bursar";
}
