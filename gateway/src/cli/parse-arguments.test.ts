import { describe, expect, test } from "bun:test";
import type { CliError } from "./cli-error.ts";
import type { Command } from "./command.ts";
import { parseFlags } from "./parse-arguments.ts";

const command: Command = {
  path: ["thing", "make"],
  about: "Make a thing.",
  flags: [
    { name: "name", value: "NAME", about: "its name", required: true, positional: true },
    { name: "amount", value: "N", about: "how many" },
    { name: "fast", value: null, about: "at once" },
  ],
  run: async () => 0,
};

function refusal(...args: string[]): string {
  try {
    parseFlags(command, args);
  } catch (error) {
    expect((error as CliError).exitCode).toBe(2);
    return (error as CliError).message;
  }
  throw new Error("was not refused");
}

describe("parseFlags", () => {
  test("accepts values after a space or an equals sign, also negative ones", () => {
    for (const args of [
      ["--name", "x", "--amount", "-5"],
      ["--name=x", "--amount=-5"],
    ]) {
      const flags = parseFlags(command, args);
      expect(flags.required("name")).toBe("x");
      expect(flags.text("amount")).toBe("-5");
      expect(flags.has("fast")).toBe(false);
    }
  });

  test("accepts the value of a positional flag without the flag, once", () => {
    expect(parseFlags(command, ["x", "--fast"]).required("name")).toBe("x");
    expect(refusal("x", "y")).toContain('does not take "y"');
    expect(refusal("--name", "x", "y")).toContain('does not take "y"');
  });

  test("refuses a flag without its dashes as the positional value", () => {
    const switches = ["true", "false", "1", "0", "yes", "no", "on", "off", "True"].map(
      (on) => `dry-run=${on}`,
    );
    for (const given of ["fast=true", "amount=5", "fast=", "json=x", "quiet=yes", ...switches]) {
      expect(refusal(given)).toBe(
        `bursar thing make does not take "${given}". Flags begin with two dashes: --${given}. If it is the value, say --name ${given}.`,
      );
    }
    expect(refusal("x", "fast=true")).toBe(
      'bursar thing make does not take "fast=true". Flags begin with two dashes: --fast=true.',
    );
    for (const name of ["day=7", "day=1", "per-day=7", "a/fast=true", "fast", "=true"])
      expect(parseFlags(command, [name]).required("name")).toBe(name);
    expect(parseFlags(command, ["--name", "dry-run=true"]).required("name")).toBe("dry-run=true");
  });

  test("refuses an unknown flag and lists the known ones", () => {
    expect(refusal("--name", "x", "--colour", "red")).toBe(
      "bursar thing make does not know --colour. It takes --name, --amount, --fast, --json, --help.",
    );
    expect(refusal("--name", "x", "-v")).toContain("does not know -v");
    expect(refusal("--name", "x", "--no-fast")).toContain("does not know --no-fast");
  });

  test("names what is missing", () => {
    expect(refusal()).toBe("bursar thing make needs --name NAME.");
    expect(refusal("--name")).toBe("--name needs a value: --name NAME.");
    expect(refusal("--name", "--fast")).toBe("--name needs a value: --name NAME.");
    // An unset variable in a script must not become the current folder.
    for (const empty of [["--name="], ["--name", ""], [""]]) {
      expect(refusal(...empty)).toBe("--name needs a value: --name NAME.");
    }
  });

  test("refuses a repeated flag, and a switch with a value", () => {
    expect(refusal("--name", "x", "--name", "y")).toBe("--name was given twice.");
    expect(refusal("--name", "x", "--fast=no")).toBe("--fast takes no value.");
  });

  test("accepts --help although a required flag is missing", () => {
    expect(parseFlags(command, ["--help"]).has("help")).toBe(true);
    expect(parseFlags(command, ["-h"]).has("help")).toBe(true);
  });
});
