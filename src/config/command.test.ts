import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandName } from "./command.ts";

test("advice names the command line as its reader calls it: by its path in a clone, by its name where it is installed", () => {
  expect(commandName({})).toBe("bin/bursar");
  const installed = readFileSync(join(import.meta.dir, "../../deploy/bursar"), "utf8");
  const [, name] = / BURSAR_COMMAND=(\S+)/.exec(installed) ?? [];
  expect(commandName({ BURSAR_COMMAND: name })).toBe("bursar");
});
