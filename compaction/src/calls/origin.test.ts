import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createOrigins } from "./origin.ts";

const call = (json: string) => ({ id: "c", name: "Read", arguments: json });
const read = (path: string) => call(JSON.stringify({ path }));

describe("names of texts", () => {
  test.each([
    ['{"path":"./a.ts"}', 'Read "./a.ts"'],
    ['{ "path" : "./a.ts", "limit": 5 }', 'Read "./a.ts"'],
    ['{"limit":5,"path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"requires_approval":false,"command":"make"}', 'Read "make"'],
    ['{"description":"Build it","command":"make"}', 'Read "make"'],
    ['{"command":"view","path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"command":"view","view_range":[1,9],"file":"./a.ts"}', 'Read "./a.ts"'],
    ['{"command":"view"}', 'Read "view"'],
    ['{"command":"npm test","path":"./a"}', 'Read "npm test"'],
    ['{"path":"./src","pattern":"alpha"}', 'Read "alpha"'],
    ['{"command":"search","url":"https://a.b","query":"alpha"}', 'Read "alpha"'],
    ['{"profile":"prod","command":"deploy"}', 'Read "deploy"'],
    ['{"old_string":"","new_string":"b","file_path":"./a.ts"}', 'Read "./a.ts"'],
    ['{"content":"a \\"path\\":\\"b\\" {","more":{"path":"c"},"filePath":"./a.ts"}', 'Read "./a.ts"'],
    ['{"old":"","new":"b"}', 'Read "b"'],
    ['{"say":"a \\"b\\" \\\\"}', 'Read "a \\"b\\" \\\\"'],
    ['{"list":["a"]}', 'Read "a"'],
    ['{"command":["bash","-lc",["x"],"make"]}', 'Read "make"'],
    ['{"command":["bash","-lc",""]}', 'Read "bash", "-lc", ""'],
    ['{"command":["powershell.exe","-Command","dir a"]}', 'Read "dir a"'],
    ['{"command":["cmd","/c","dir a"]}', 'Read "dir a"'],
    ['{"command":["/usr/bin/python3","-c","print(1)"]}', 'Read "print(1)"'],
    ['{"command":["head","-c","500"]}', 'Read "head", "-c", "500"'],
    ['{"command":["git","-c","a=b"]}', 'Read "git", "-c", "a=b"'],
    ['{"command":["git","diff","a.py"]}', 'Read "git", "diff", "a.py"'],
    ['{"paths":["a.py"]}', 'Read "a.py"'],
    ['{"paths":["a.py","b.py"]}', 'Read "a.py", "b.py"'],
    ['{"files":[ "a.py",\n"b.py", {"c":"d"} ]}', 'Read "a.py", "b.py"'],
    ['{"limit":9,"urls":["https://a.org","https://b.org"]}', 'Read "https://a.org", "https://b.org"'],
    ['{"edits":[{"path":"a.py"}],"mode":"fast"}', 'Read "fast"'],
    ['{"paths":[]}', "Read"],
    ['{"id":7,"isNew":true}', "Read 7"],
    ['{"isNew":true,"none":null}', "Read"],
    ["{}", "Read"],
    ["", "Read"],
    ["not JSON", "Read"],
    ['["a"]', "Read"],
    ['{"path":"never closed', 'Read "never closed"'],
    ['{"path":"a\nb"}', "Read"],
  ])("of the call %s name its main argument", (json, name) => {
    expect(createOrigins().ofToolResult(call(json))()).toBe(name);
  });

  const FOLDERS = "/srv/acme/team-one/order-service/src/main/java/com/acme/orders";
  test.each([
    ["a path at its front", `${FOLDERS}/Service3.java`, "…/src/main/java/com/acme/orders/Service3.java"],
    ["a folder, too", `${FOLDERS}/`, "…/order-service/src/main/java/com/acme/orders/"],
    ["a name without folders", "x".repeat(99), `…${"x".repeat(48)}`],
    ["words in their middle", `say ${"x".repeat(99)} it`, `say ${"x".repeat(24)}…${"x".repeat(17)} it`],
    [
      "words without splitting an escape",
      `say ${"x".repeat(23)}\\n${"y".repeat(99)}`,
      `say ${"x".repeat(23)}…${"y".repeat(21)}`,
    ],
    [
      "words without splitting a character",
      `say ${"x".repeat(23)}😀${"y".repeat(99)}`,
      `say ${"x".repeat(23)}…${"y".repeat(21)}`,
    ],
    [
      "words without splitting a character after the gap",
      `say ${"x".repeat(99)}😀${"y".repeat(19)}`,
      `say ${"x".repeat(24)}…${"y".repeat(19)}`,
    ],
    ["what is far too long, at its end", `say ${"x".repeat(4000)}`, `say ${"x".repeat(44)}…`],
    ["a command to what is run", `cd /srv/acme/team-one/order-service && npm test`.padEnd(49), "…npm test  "],
    ["a path without splitting a character", `${"x".repeat(9)}😀${"y".repeat(47)}`, `…${"y".repeat(47)}`],
    [
      "a path without splitting the escape of a character",
      `${"x".repeat(9)}\\u00e9${"y".repeat(45)}`,
      `…${"y".repeat(45)}`,
    ],
    [
      "a path without splitting a pair of escapes",
      `${"x".repeat(9)}\\ud83d\\ude00${"y".repeat(40)}`,
      `…${"y".repeat(40)}`,
    ],
    ["what is too long for a path", "x".repeat(401), `${"x".repeat(28)}…${"x".repeat(20)}`],
  ])("shorten %s", (_, value, shown) => {
    expect(createOrigins().ofToolResult(call(`{"path":"${value}"}`))()).toBe(`Read "${shown}"`);
  });

  test.each([
    [["/Service3.java", "/Service4.java"], '"…/orders/Service3.java", "…/orders/Service4.java"'],
    [["/A.java", "/B.java", "/C.java"], '"…/com/acme/orders/A.java", … "…/com/acme/orders/C.java"'],
  ])("shorten no list to a single text: %j", (names, shown) => {
    const paths = names.map((name) => FOLDERS + name);
    expect(createOrigins().ofToolResult(call(JSON.stringify({ paths })))()).toBe(`Read ${shown}`);
  });

  test("distinguish lists that differ only in the middle", () => {
    const origins = createOrigins();
    const list = (name: string) => {
      const paths = ["a", name, "c"].map((one) => `${FOLDERS}/${one}.java`);
      return origins.ofToolResult(call(JSON.stringify({ paths })));
    };
    const labels = ["b", "b", "d"].map(list);
    const shown = (name: string) => ["a", name, "c"].map((one) => `"${FOLDERS}/${one}.java"`).join(", ");
    origins.ofToolResult(read("else"));
    expect(labels.map((say) => say())).toEqual([
      `Read ${shown("b")} #1`,
      `Read ${shown("b")} #2`,
      `Read ${shown("d")}`,
    ]);
  });

  test("split no character of any text", () => {
    const sign = fc.constantFrom("x", " ", "/", "é", "😀", "\n", "\\", '"', "\u0001");
    const ascii = (json: string) =>
      json.replaceAll(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
    fc.assert(
      fc.property(fc.array(sign, { minLength: 30, maxLength: 150 }), fc.boolean(), (signs, isAscii) => {
        const json = JSON.stringify({ path: signs.join("") });
        const name = createOrigins().ofToolResult(call(isAscii ? ascii(json) : json))();
        const [start = "", end = ""] = (JSON.parse(name.slice("Read ".length)) as string).split("…");
        expect(signs.join("").startsWith(start) && signs.join("").endsWith(end)).toBe(true);
        expect(`${start}${end}`.isWellFormed()).toBe(true);
      }),
    );
  });

  test("number repeats, and the first one as soon as there are others", () => {
    const origins = createOrigins();
    const labels = [1, 2, 3].map(() => origins.ofToolResult(read("a")));
    expect(labels.map((say) => say())).toEqual(['Read "a" #1', 'Read "a" #2', 'Read "a" #3']);
    expect(origins.ofArguments(read("a"))()).toBe('call Read "a"');
    const users = [origins.ofMessage("user"), origins.ofMessage("user")];
    expect(users.map((say) => say())).toEqual(["user message", "user message #2"]);
    expect(origins.ofToolResult(undefined)()).toBe("tool result");
    expect(users.map((say) => say())).toEqual(["user message #1", "user message #2"]);
  });

  test("number the first only from the third result on", () => {
    const origins = createOrigins();
    const first = origins.ofToolResult(read("a"));
    origins.ofToolResult(read("a"));
    expect(first()).toBe('Read "a"');
    origins.ofToolResult(read("a"));
    expect(first()).toBe('Read "a" #1');
  });

  test("show more of an argument if the short form would also fit another one", () => {
    const origins = createOrigins();
    const path = (tree: string) =>
      `/srv/dev/worktrees/${tree}/packages/checkout/src/components/forms/TextInput.tsx`;
    const first = origins.ofToolResult(read(path("main")));
    expect(first()).toBe('Read "…/checkout/src/components/forms/TextInput.tsx"');
    const second = origins.ofToolResult(read(path("feature")));
    expect([first(), second()]).toEqual([`Read "${path("main")}"`, `Read "${path("feature")}"`]);
    const again = origins.ofToolResult(read(path("main")));
    expect(again()).toBe(`Read "${path("main")}" #2`);
  });

  test("distinguish commands by what is run, and where", () => {
    const origins = createOrigins();
    const run = (folder: string, command: string) =>
      origins.ofToolResult(call(JSON.stringify({ command: `cd ${folder} && ${command}` })));
    const folder = "/srv/user/workspace/customer-portal-backend";
    const [test, lint] = [run(folder, "npm test"), run(folder, "npm run lint")];
    expect([test(), lint()]).toEqual(['Read "…npm test"', 'Read "…npm run lint"']);
    const other = run('"/srv/user/my workspace/customer-portal"', "npm test");
    expect([test(), other()]).toEqual([
      `Read "cd ${folder} && npm test"`,
      'Read "cd \\"/srv/user/my workspace/customer-portal\\" && npm test"',
    ]);
  });

  test.each([
    [
      "a command that also ends another one",
      "cd /srv/acme/team-one/order-service/packages/core && npm test",
      "npm run build && npm test",
      "…npm test",
      "cd /srv/acme/team-one/order-service/packages/core && npm test",
    ],
    [
      "a program that another command times",
      `${FOLDERS}/run.sh`,
      `time ${FOLDERS}/run.sh`,
      "…/src/main/java/com/acme/orders/run.sh",
      `${FOLDERS}/run.sh`,
    ],
    [
      "an argument that is in quotes in one command only",
      'python manage.py test -tag "alpha" --settings=project.settings.test',
      "python manage.py test -tag alpha --settings=project.settings.test",
      "python manage.py test -tag …project.settings.test",
      'python manage.py test -tag \\"alpha\\" --settings=project.settings.test',
    ],
  ])("show more of %s", (_, command, other, short, longer) => {
    const origins = createOrigins();
    const run = (command: string) => origins.ofToolResult(call(JSON.stringify({ command })));
    const name = run(command);
    expect(name()).toBe(`Read "${short}"`);
    run(other);
    expect(name()).toBe(`Read "${longer}"`);
  });

  test("distinguish searches for the same text by where they search", () => {
    const origins = createOrigins();
    const grep = (input: object) => origins.ofToolResult(call(JSON.stringify(input)));
    const [src, tests] = [grep({ pattern: "TODO", path: "src" }), grep({ path: "test", pattern: "TODO" })];
    const other = grep({ pattern: "FIXME", path: "src" });
    expect([src(), tests(), other()]).toEqual([
      'Read "TODO" in "src"',
      'Read "TODO" in "test"',
      'Read "FIXME"',
    ]);
    const asOne = grep({ pattern: "TODO in src" });
    expect([src(), asOne()]).toEqual(['Read "TODO" in "src"', 'Read "TODO in src"']);
    const [again, nowhere] = [grep({ pattern: "TODO", path: "src" }), grep({ pattern: "TODO" })];
    expect([again(), nowhere()]).toEqual(['Read "TODO" in "src" #2', 'Read "TODO"']);
    grep({});
    expect(src()).toBe('Read "TODO" in "src" #1');
  });

  test("shorten the folder of a search as far as it stays unambiguous", () => {
    const origins = createOrigins();
    const folder = (tree: string) =>
      `/srv/dev/worktrees/${tree}/packages/checkout/src/components/forms/inputs`;
    const grep = (query: string, directory: string) =>
      origins.ofToolResult(call(JSON.stringify({ query, directory })));
    const [first, second] = [grep("a", folder("main")), grep("a", "/srv")];
    expect([first(), second()]).toEqual([
      'Read "a" in "…/packages/checkout/src/components/forms/inputs"',
      'Read "a" in "/srv"',
    ]);
    const third = grep("a", folder("feature"));
    expect([first(), third()]).toEqual([
      `Read "a" in "${folder("main")}"`,
      `Read "a" in "${folder("feature")}"`,
    ]);
    const words = (end: string) => `${"to be ".repeat(12)}${end}${" not to be".repeat(12)}`;
    const [long, longer] = [grep(words("or"), "x"), grep(words("and"), "x")];
    expect([long(), longer()].map((name) => /" in "|(or|and) not/.exec(name)?.[0])).toEqual([
      "or not",
      "and not",
    ]);
  });

  test("stay unique if two arguments differ only in an escape that is cut", () => {
    // The letter that differs is an escape sequence that spans the place where the longest form is cut.
    for (const before of [235, 236, 237, 238, 239]) {
      const origins = createOrigins();
      const say = (letter: string) =>
        origins.ofToolResult(call(`{"query":"a ${"x".repeat(before - 2)}${letter}${"y".repeat(300)}"}`));
      const names = ["\\u00e9", "\\u10e9", "\\u01e9"].map(say).map((label) => label());
      expect(new Set(names).size).toBe(3);
    }
  });

  test("are numbered if nothing else distinguishes them", () => {
    const origins = createOrigins();
    const labels = ["a", "b"].map((end) => origins.ofToolResult(read(`say ${"x".repeat(5_000)}${end}`)));
    const shown = `Read "say ${"x".repeat(44)}…"`;
    expect(labels.map((say) => say())).toEqual([shown, `${shown} #2`]);
    const broken = ["a", "b"].map((end) => origins.ofToolResult(call(`{"path":"a\n${end}"}`)));
    expect(broken.map((say) => say())).toEqual(["Read", "Read #2"]);
  });
});
