import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../app/settings.ts";
import { commandName } from "./command.ts";

const CLONE = join(import.meta.dir, "../../..");

/** The command that a file of `deploy/` puts into advice; undefined if it leaves that to the default. */
function deployedCommand(file: string): string | undefined {
  const text = readFileSync(join(CLONE, "deploy", file), "utf8");
  const [, quoted, plain] = / BURSAR_COMMAND=(?:"([^"]+)"|(\S+))/.exec(text) ?? [];
  return quoted ?? plain;
}

test("advice names bin/bursar in a clone and bursar where it is installed", () => {
  expect(commandName({})).toBe("bin/bursar");
  expect(commandName({ BURSAR_COMMAND: deployedCommand("bursar") })).toBe("bursar");
});

test("advice given elsewhere names the launcher's whole path, which exists there", () => {
  const named = commandName({}, "/");
  expect(named).toEndWith("/bin/bursar");
  expect(existsSync(named)).toBe(true);
});

test("in a clone, advice includes the data folder, quoted for a shell", () => {
  const named = (dataDir: string) => commandName({ BURSAR_DATA_DIR: dataDir }, CLONE);
  expect(named("/srv/bursar-2")).toBe("BURSAR_DATA_DIR=/srv/bursar-2 bin/bursar");
  expect(named("other")).toBe(`BURSAR_DATA_DIR=${CLONE}/other bin/bursar`);
  expect(named("/srv/Bob's data")).toBe("BURSAR_DATA_DIR='/srv/Bob'\\''s data' bin/bursar");
  expect(commandName({ BURSAR_COMMAND: "bursar", BURSAR_DATA_DIR: "/var/lib/bursar/data" })).toBe("bursar");
});

test("the console names no folder of this machine if others can reach it", () => {
  const shown = (env: Record<string, string>) =>
    loadConfig({ BURSAR_DATA_DIR: "/srv/data", ...env }, CLONE).consoleCommandName;
  expect(shown({})).toBe("BURSAR_DATA_DIR=/srv/data bin/bursar");
  expect(shown({ HOST: "0.0.0.0" })).toBe("bin/bursar");
  expect(shown({ BURSAR_PUBLIC_URL: "https://ai.example.com" })).toBe("bin/bursar");
});

test.each([
  ["bursar.service", "bursar"],
  ["bursar-backup.service", "bursar"],
  ["Containerfile", "docker exec bursar bursar"],
])("%s sets the command in advice to `%s`", (file, command) => {
  expect(deployedCommand(file)).toBe(command);
});
