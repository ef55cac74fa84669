import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandName } from "./command.ts";

/** What a file of `deploy/` has advice say; undefined where it leaves that to the default. */
function deployedCommand(file: string): string | undefined {
  const text = readFileSync(join(import.meta.dir, "../../deploy", file), "utf8");
  const [, quoted, plain] = / BURSAR_COMMAND=(?:"([^"]+)"|(\S+))/.exec(text) ?? [];
  return quoted ?? plain;
}

test("advice names the command line as its reader calls it: by its path in a clone, by its name where it is installed", () => {
  expect(commandName({})).toBe("bin/bursar");
  expect(commandName({ BURSAR_COMMAND: deployedCommand("bursar") })).toBe("bursar");
});

test.each([
  ["bursar.service", "bursar"],
  ["bursar-backup.service", "bursar"],
  ["Containerfile", "docker exec bursar node bin/bursar"],
])("%s has it advise `%s`: the launcher of a clone would work on the database of ./data", (file, command) => {
  expect(deployedCommand(file)).toBe(command);
});
