import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../db/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { COMMANDS } from "./run-cli.ts";
import { type CliHarness, createCliHarness } from "./testing.ts";

let cli: CliHarness;

beforeAll(async () => {
  cli = await createCliHarness();
});

afterAll(() => cli.drop());

afterEach(() => {
  expect(cli.openServices).toBe(0);
});

describe("bursar help", () => {
  test("every command explains itself without opening anything", async () => {
    const opened = () => Promise.reject(new Error("opened too early"));
    const run = (...argv: string[]) =>
      cli.runWith({ openServices: opened, openDatabase: opened, serve: opened }, ...argv);
    for (const command of COMMANDS) {
      const { code, out } = await run(...command.path, "--help");
      expect(code).toBe(0);
      expect(out).toStartWith(`Usage: bursar ${command.path.join(" ")}`);
      for (const flag of command.flags) expect(out).toContain(`--${flag.name}`);
      expect(await run("help", ...command.path)).toEqual({ code, out, err: "" });
    }
  });

  test("an optional flag name is shown in brackets", async () => {
    const { out } = await cli.run("backup", "--help");
    expect(out).toContain("Usage: bursar backup [--folder] FOLDER [--json]");
  });

  test("the overview lists every command", async () => {
    for (const argv of [["--help"], ["-h"], ["help"], ["help", "version"], ["help", "help"]]) {
      const { code, out } = await cli.run(...argv);
      expect(code).toBe(0);
      for (const command of COMMANDS) expect(out).toContain(`\n  ${command.path.join(" ")}`);
    }
  });

  test("a group lists its own commands only", async () => {
    const { code, out } = await cli.run("key", "--help");
    expect(code).toBe(0);
    expect(out).toContain("key rotate");
    expect(out).not.toContain("org create");
  });

  test("--version prints the version", async () => {
    expect(await cli.run("--version")).toEqual({ code: 0, out: "1.2.3\n", err: "" });
    expect(await cli.json("--version")).toEqual({ version: "1.2.3" });
  });
});

describe("wrong arguments exit with 2 and print nothing to stdout", () => {
  for (const [argv, says] of [
    [["frobnicate"], 'There is no command "frobnicate".'],
    [["org", "destroy"], 'There is no command "org destroy".'],
    [["org", "destroy", "--help"], 'There is no command "org destroy".'],
    [["help", "org", "destroy"], 'There is no command "org destroy".'],
    [["help", "frobnicate"], 'There is no command "frobnicate".'],
    [["--help", "frobnicate"], 'There is no command "frobnicate".'],
    [["org"], "bursar org needs a subcommand."],
    [["--verbose", "org", "list"], "Put the command first, then --verbose."],
    [["org", "create"], "bursar org create needs --name NAME."],
    [["org", "create", "--name", "A", "--colour", "red"], "bursar org create does not know --colour."],
    [
      ["org", "update", "--org", "a"],
      "bursar org update needs --plan PLAN, --active true|false or --efficiency LEVEL.",
    ],
    [["org", "update", "--org", "a", "--active", "maybe"], '--active takes one of true, false, not "maybe".'],
    [["serve", "--workers", "0"], '--workers takes a whole number from 1 to 64, not "0".'],
    [
      ["serve", "--port", "80"],
      "bursar serve does not know --port: set PORT in the environment. It takes --workers, --role, --json, --help.",
    ],
    [["serve", "--role", "boss"], '--role takes one of api, worker, all, not "boss".'],
    [
      ["credits", "grant", "--org", "a", "--pool", "anytime", "--amount", "1.5"],
      "--amount takes a whole number",
    ],
    [
      ["credits", "grant", "--org", "a", "--pool", "anytime", "--amount", "1", "--expires-in", "1d"],
      "Anytime credits never expire",
    ],
    [
      ["credits", "adjust", "--org", "a", "--pool", "gold", "--amount", "1", "--reason", "x"],
      "--pool takes one of",
    ],
    [["key", "create", "--org", "a", "--name", "k", "--expires-in", "soon"], "--expires-in takes a duration"],
    [
      ["key", "create", "--org", "a", "--name", "k", "--expires-in", "1d", "--expires-at", "2030-01-01"],
      "mean the same",
    ],
    [["member", "add", "--org", "a", "--email", "e@x.org", "--role", "king"], "--role takes one of"],
  ] as const) {
    test(`bursar ${argv.join(" ")}`, async () => {
      const opened = () => Promise.reject(new Error("opened too early"));
      const { code, out, err } = await cli.runWith({ openServices: opened, openDatabase: opened }, ...argv);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toStartWith("bursar: ");
      expect(err).toContain(says);
    });
  }
});

describe("bursar output", () => {
  test("a failure with --json is one object on stdout and a sentence on stderr", async () => {
    const { code, out, err } = await cli.run("key", "list", "--org", "nobody", "--json");
    expect(code).toBe(1);
    const { error } = JSON.parse(out);
    expect(error.message).toBe('There is no organization "nobody": `bin/bursar org list` shows them all.');
    expect(err).toBe(`bursar: ${error.message}\n`);
  });

  test("an error of Bursar is a sentence without a stack", async () => {
    const openServices = () => Promise.reject(new Error("PostgreSQL cannot start: set DATABASE_URL."));
    const { code, out, err } = await cli.runWith({ openServices }, "org", "list");
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "",
      err: "bursar: PostgreSQL cannot start: set DATABASE_URL.\n",
    });
  });

  test("an error of the system points to bursar doctor", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
    const openServices = () => Promise.reject(refused);
    const { out, err } = await cli.runWith({ openServices }, "org", "list", "--json");
    expect(err).toBe(
      "bursar: connect ECONNREFUSED 127.0.0.1:1\n`bin/bursar doctor` looks for the cause and says what to fix.\n",
    );
    expect(JSON.parse(out)).toEqual({ error: { message: refused.message } });
  });

  test("a database that cannot be reached is named with its setting and points to bursar doctor", async () => {
    const openServices = () =>
      openDatabase({
        databaseUrl: "postgresql://a@127.0.0.1:1/b",
        dataDir: "",
        poolSize: 1,
        log: silentLog,
      }).then(() => Promise.reject(new Error("opened")));
    const { err } = await cli.runWith({ openServices }, "org", "list");
    expect(err).toBe(
      "bursar: The PostgreSQL at 127.0.0.1:1 (DATABASE_URL) cannot be reached: connect ECONNREFUSED 127.0.0.1:1.\n`bin/bursar doctor` looks for the cause and says what to fix.\n",
    );
  });

  test("a backup folder that cannot be created does not point to bursar doctor", async () => {
    const { code, err } = await cli.run("backup", join(import.meta.path, "copy"));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^bursar: \S+\/copy cannot be used \(ENOTDIR: .*\): the user \S+ must be able to write there\.\n$/,
      ),
    ]);
  });

  test("control characters from outside do not reach the terminal", async () => {
    const acting = /[^\P{Cc}\n]|\p{Cf}/u;
    const foreign = new Error("bursar.yaml: \u001b[2J is not known, nor is \u009b2J\u202e");
    const openServices = () => Promise.reject(foreign);
    const { out, err } = await cli.runWith({ openServices }, "org", "list", "--json");
    expect(`${out}${err}`).not.toMatch(acting);
    expect(err).toContain("\\u001b[2J is not known");
    expect(JSON.parse(out).error.message).toBe(foreign.message);
    const folder = join(cli.dataDir, "copy\u001b[2J");
    const backup = await cli.run("backup", folder);
    expect([backup.code, backup.out]).toEqual([0, expect.stringContaining("copy\\u001b[2J")]);
    expect(backup.out).not.toMatch(acting);
  });

  test("colours appear only if the terminal supports them", async () => {
    let shown = "";
    const terminal = {
      colors: true,
      write: (text: string) => {
        shown += text;
      },
      writeError: () => {},
    };
    await cli.runWith({ terminal }, "--help");
    expect(shown).toContain("\x1b[1m");
    expect((await cli.run("--help")).out).not.toContain("\x1b");
  });
});

describe("bursar serve", () => {
  test("receives workers, role and whether output is JSON; it is what no command means", async () => {
    await cli.run();
    await cli.run("serve");
    await cli.run("serve", "--workers", "4", "--role", "api", "--json");
    expect(cli.served).toEqual([
      { workers: 1, role: "all", wantsJson: false },
      { workers: 1, role: "all", wantsJson: false },
      { workers: 4, role: "api", wantsJson: true },
    ]);
  });
});
