import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fastestMs } from "../../../test/fastest.ts";
import { parseConfigText, readConfigFile } from "./file.ts";

function parse(text: string, env: Record<string, string> = {}) {
  const problems: string[] = [];
  const file = parseConfigText(text, { path: "bursar.yaml", env, problems });
  return { ...file, problems };
}

const variable = (name: string) => "$".concat("{", name, "}");

describe("an environment variable in the configuration file", () => {
  test.each([
    ["bare inside braces", `a: { key: ${variable("KEY")} }`],
    ["bare in a list", `a: [${variable("KEY")}]`],
    ["in double quotes", `a: "${variable("KEY")}"`],
    ["in single quotes", `a: '${variable("KEY")}'`],
    ["alone", `a: ${variable("KEY")}`],
  ])("is replaced %s", (_, text) => {
    expect(JSON.stringify(parse(text, { KEY: "s3cret" }).given)).toContain('"s3cret"');
  });

  test("is replaced within other text, more than once", () => {
    const text = `a: http://${variable("HOST_1")}:${variable("PORT_1")}/v1`;
    expect(parse(text, { HOST_1: "h", PORT_1: "1" }).given).toEqual({ a: "http://h:1/v1" });
  });

  test.each(["x: y", "}", "a\nb: c", "# no", '"', "&a *a", "true", "5", variable("KEY")])(
    "is text, whatever it contains: %j",
    (value) => {
      expect(parse(`a: { key: ${variable("KEY")}, b: 1 }`, { KEY: value }).given).toEqual({
        a: { key: value, b: 1 },
      });
    },
  );

  test("that is not set is a problem that names path and variable", () => {
    expect(parse(`providers: { acme: { api_key: ${variable("ACME_KEY")} } }`).problems).toEqual([
      "providers.acme.api_key: needs ACME_KEY, which is not set in the environment",
    ]);
  });

  test("in a comment is ignored", () => {
    expect(parse(`# ${variable("NOTHING")}\na: 1`)).toEqual({
      given: { a: 1 },
      asWritten: { a: 1 },
      problems: [],
    });
  });

  test("with an invalid name is refused", () => {
    expect(parse(`a: "${variable("NOT-A-NAME")}"`).problems).toHaveLength(1);
  });

  test("is kept by name in what messages may show", () => {
    const { asWritten } = parse(`a: [{ b: x-${variable("KEY")} }]`, { KEY: "s3cret" });
    expect(asWritten).toEqual({ a: [{ b: `x-${variable("KEY")}` }] });
  });
});

describe("a configuration file", () => {
  test("that is empty sets nothing", () => {
    expect(parse("# nothing yet\n")).toEqual({ given: {}, asWritten: {}, problems: [] });
  });

  test.each(["- a", "text", "5"])("that is not a mapping is refused: %j", (text) => {
    expect(parse(text).problems).toEqual(["bursar.yaml: must be a mapping of settings"]);
  });

  test("that is not YAML is refused with the line, without its content", () => {
    expect(parse("limits:\n  json_depth: 9\naliases: [ canary\nplans: {}\n").problems).toEqual([
      "bursar.yaml: is not valid YAML, near line 4: a bracket or brace is not closed, or what it holds is indented too little",
    ]);
  });

  test.each([
    ["models:\n  - id: canary\n   name: y", 3, "it is indented unlike its neighbours"],
    ["models:\n  - id: canary\n  name: y", 3, "it is indented unlike its neighbours"],
    ["plans:\n    pro: 1\n  team: canary", 3, "it is indented unlike its neighbours"],
    [
      "models:\n  - id: canary\n      name: y",
      2,
      "a value with a colon needs quotes, or the next line is indented too far",
    ],
    ["name: canary: fine", 1, "a value with a colon needs quotes, or the next line is indented too far"],
    ["sandbox:true\nlimits: {}", 1, "a space after a colon is missing"],
    ["name: 'canary\nlimits: {}", 2, "a quote is not closed"],
    ["name: [canary, b", 1, "a bracket or brace is not closed, or what it holds is indented too little"],
    ["name: @canary", 1, "a value that begins with @, ` or % needs quotes"],
    ['name: "C:\\canary"', 1, "in double quotes, a backslash must be written twice"],
  ])("is refused with the usual cause: %j", (text, line, cause) => {
    expect(parse(text).problems).toEqual([`bursar.yaml: is not valid YAML, near line ${line}: ${cause}`]);
  });

  test.each([
    ["a key at the top level", "plans: {}\nlimits: {}\nplans: {}", "line 3 repeats plans"],
    ["a nested key", "limits:\n  messages: 5\n  messages: 6", "line 3 repeats messages"],
    ["a key in braces", "limits: { a: 1, a: 2 }", "line 1 repeats a"],
    ["a key in quotes", "a: 1\n'a': 2", "line 2 repeats a key"],
    [
      "a key that is a variable",
      `a: 1\n"${variable("KEY")}": 1\n"${variable("KEY")}": 2`,
      "line 3 repeats a key",
    ],
    ["the start of a document", "a: 1\n---\nb: 2", "line 2 begins a second document"],
  ])("that repeats %s is refused with the line", (_, text, problem) => {
    expect(parse(text, { KEY: "canary" }).problems).toEqual([`bursar.yaml: ${problem}`]);
  });

  test("indented with a tab is refused with the line", () => {
    expect(parse("limits:\n\tmessages: 5").problems).toEqual([
      "bursar.yaml: line 2 is indented with a tab, which YAML does not take",
    ]);
  });

  test("may merge a mapping into another and use aliases", () => {
    expect(parse("a: &a { b: 1, c: 2 }\nd: { <<: *a, c: 3 }\ne: *a").given).toEqual({
      a: { b: 1, c: 2 },
      d: { b: 1, c: 3 },
      e: { b: 1, c: 2 },
    });
  });

  test.each([
    ["a loop of anchors", "a: &a [*a, *a, *a]"],
    ["an alias without its anchor", "a: *a"],
    ["50,000 nested brackets", `a: ${"[".repeat(50_000)}${"]".repeat(50_000)}`],
    ["40 nested brackets", `a: ${"[".repeat(40)}${"]".repeat(40)}`],
    ["aliases that expand", `a: &a [1,1,1,1,1,1,1,1,1,1]\n${unfolding()}`],
  ])("with %s is refused", (_, text) => {
    expect(parse(text).problems).toHaveLength(1);
    expect(fastestMs(() => parse(text), 2, 3_500)).toBeLessThan(3_500);
  });

  test("larger than a mebibyte is refused", () => {
    expect(parse(`a: ${"x".repeat(1024 * 1024)}`).problems).toHaveLength(1);
  });

  test("may be missing unless BURSAR_CONFIG names it", () => {
    const folder = mkdtempSync(join(tmpdir(), "bursar-config-"));
    const problems: string[] = [];
    const path = join(folder, "bursar.yaml");
    const read = (required: boolean) => readConfigFile({ path, required, env: {}, problems });
    expect(read(false).given).toEqual({});
    expect(problems).toEqual([]);
    read(true);
    expect(problems).toEqual([`BURSAR_CONFIG: must name a file that can be read (${path}: ENOENT)`]);
    writeFileSync(path, "sandbox: true");
    expect(read(true).given).toEqual({ sandbox: true });
    rmSync(folder, { recursive: true });
  });
});

/** Each anchor is ten times the one before: refused by the parser or by our own count, whichever comes first. */
function unfolding(): string {
  const letters = "abcdefg".split("");
  return letters
    .slice(1)
    .map((letter, index) => `${letter}: &${letter} [${`*${letters[index]},`.repeat(10)}]`)
    .join("\n");
}

test("a configuration file in UTF-16 is refused with the advice to save it as UTF-8", () => {
  const folder = mkdtempSync(join(tmpdir(), "bursar-utf16-"));
  const path = join(folder, "bursar.yaml");
  for (const mark of ["\uFEFF", ""]) {
    writeFileSync(path, Buffer.from(`${mark}sandbox: true\n`, "utf16le"));
    const problems: string[] = [];
    readConfigFile({ path, required: true, env: {}, problems });
    expect(problems).toEqual([`${path}: must be text in UTF-8: save it in that encoding`]);
  }
  rmSync(folder, { recursive: true, force: true });
});
