import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../test/fastest.ts";
import { compact } from "./compact.ts";
import type { ChatMessage } from "./message.ts";

function shown(name: string, content: string): unknown {
  const call = { id: "c", name, arguments: '{"command":"x"}' };
  const messages: ChatMessage[] = [
    { role: "assistant", content: null, toolCalls: [call] },
    { role: "tool", toolCallId: "c", content },
  ];
  return compact(messages, { level: "structural", references: true }).messages[1]?.content;
}

const PATHS = ["main", "watch", "parse", "render"].map(
  (name) => `/srv/project/packages/service/src/${name}.test.ts`,
);
const WARNINGS = Array.from({ length: 6 }, () => "warning: the cache is cold, and will be for a while");

describe("lines of output", () => {
  test("with the same beginning and end share both", () => {
    expect(shown("Bash", PATHS.join("\n"))).toBe(
      "§each of 4 lines: /srv/project/packages/service/src/…\nmain.test.ts\nwatch.test.ts\nparse.test.ts\nrender.test.ts",
    );
    const results = ["one", "two", "three"].map((name) => `    --- PASS: TestParser/${name} (0.00s)`);
    expect(shown("Bash", results.join("\n"))).toBe(
      "§each of 3 lines:     --- PASS: TestParser/… (0.00s)\none\ntwo\nthree",
    );
  });

  test("of one file are grouped, and numbers are not split", () => {
    const matches = [48, 412, 4001].map((line) => `pkg/cloud/sync/manager.go:${line}:	return projectId`);
    expect(shown("Grep", matches.join("\n"))).toBe(
      "§each of 3 lines: pkg/cloud/sync/manager.go:…:	return projectId\n48\n412\n4001",
    );
  });

  test("around matches in a file share its path, but no code", () => {
    const code = [
      "function cut(text) {",
      "  const kind = kindOf(text);",
      "  if (kind === 0) return;",
      "  go(text);",
    ];
    const found = code.map((line, at) => `src/efficiency/cut.ts${at === 1 ? ":65:" : `-${64 + at}-`}${line}`);
    for (const name of ["Grep", "Bash"]) {
      expect(shown(name, found.join("\n"))).toBe(
        "§each of 4 lines: src/efficiency/cut.ts…\n-64-function cut(text) {\n:65:  const kind = kindOf(text);\n-66-  if (kind === 0) return;\n-67-  go(text);",
      );
    }
    const calls = [12, 480, 481].map((line, at) => `pkg/cloud/manager.go:${line}:  run(${at}, options, nil)`);
    const read = shown("Grep", calls.join("\n"));
    for (const [at, line] of [12, 480, 481].entries())
      expect(read).toContain(`${line}:  run(${at}, options, nil)`);
  });

  test("with an ellipsis of their own get […] as the placeholder, or stay if they contain that, too", () => {
    const entries = [17, 180, 1900].map((id) => `10:05 INFO worker processing… item ${id} of the main queue`);
    expect(shown("Bash", entries.join("\n"))).toBe(
      "§each of 3 lines: 10:05 INFO worker processing… item […] of the main queue\n17\n180\n1900",
    );
    const shortened = entries.map((entry) => entry.replace("INFO", "[…]"));
    expect(shown("Bash", shortened.join("\n"))).toBe(shortened.join("\n"));
  });

  test.each(["…", "[…] …"])("that cannot be shared because of %s are checked within 150 ms", (dots) => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `${dots} of a queue, ${at}`);
    expect(fastestMs(() => shown("Bash", lines.join("\n")), 3, 150)).toBeLessThan(150);
  });

  test("that are repeated are counted", () => {
    expect(shown("Bash", ["start", ...WARNINGS, "end"].join("\n"))).toBe(
      `start\n${WARNINGS[0]}\n§repeated 5 more\nend`,
    );
  });

  test("stay unchanged in files, and in results of unknown tools", () => {
    const text = [...PATHS, ...WARNINGS].join("\n");
    expect(shown("Read", text)).toBe(text);
    expect(shown("oracle", text)).toBe(text);
  });

  test("stay if sharing saves letters but no tokens, whatever else is saved", () => {
    const below = ["^^^^", "help", "note"].map((word) => `  |${" ".repeat(34)}${word}`);
    const text = ["warning: unused", ...below, "done"].join("\n");
    expect(shown("Bash", `${"\x1b[33m\x1b[0m".repeat(9)}${text}`)).toBe(text);
  });

  test("stay if sharing saves nothing", () => {
    for (const text of [
      PATHS.slice(0, 1).join("\n").repeat(3),
      "a\nb\n".repeat(60),
      "  x = 1;\n  y = 2;\n".repeat(9),
    ]) {
      expect(shown("Bash", text)).toBe(text);
    }
  });
});

const two = (number: number) => String(number).padStart(2, "0");

/** Lines of one form, with what they become. */
const FORMS: Record<
  string,
  { readonly line: (at: number) => string; readonly head: string; readonly row: string }
> = {
  journal: {
    line: (at) =>
      `Nov 17 0${2 + ((at / 30) | 0)}:${10 + (at % 30)}:10 web-01 nginx[${1230 + at}]: [error] 1234#0: *${at} upstream timed out (110: Connection timed out), client: 10.0.0.${at}, server: shop.example.com`,
    head: "Nov 17 …:10 web-01 nginx[…]: [error] 1234#0: *… upstream timed out (110: Connection timed out), client: …, server: shop.example.com",
    row: "02:13|1233|3|10.0.0.3",
  },
  "access log": {
    line: (at) =>
      `10.0.${at % 7}.9 - - [17/Nov/2026:02:10:${two(at)} +0000] "GET /items/${at} HTTP/1.1" ${at % 9 ? 200 : 404} ${512 + at} "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
    head: '… - - [17/Nov/2026:02:10:… +0000] "GET /items/… HTTP/1.1" … "-" "Mozilla/5.0 (X11; Linux x86_64)"',
    row: "10.0.3.9|03|3|200 515",
  },
  "build of an image": {
    line: (at) =>
      `#5 0.${300 + at} Get:${at + 1} http://mirror.example/linux stable/main amd64 curl amd64 [${at} kB]`,
    head: "#5 … Get:… http://mirror.example/linux stable/main amd64 curl amd64 [… kB]",
    row: "0.303|4|3",
  },
  "entries with a message of any length": {
    line: (at) =>
      `2026-03-04T12:00:${two(at)}Z INFO [orders-service] request ${"took long ".repeat(at % 4)}for ${at}`,
    head: "2026-03-04T12:00:… INFO [orders-service] request …",
    row: "03Z|took long took long took long for 3",
  },
  "entries with a level, in turns": {
    line: (at) =>
      `[INFO] ${at % 2 ? "Downloaded" : "Downloading"} from central: http://mirror.example/maven/org/shop/core-${at}.jar${at % 2 ? ` (${at} kB)` : ""}`,
    head: "[INFO] … from central: http://mirror.example/maven/org/shop/…",
    row: "Downloaded|core-3.jar (3 kB)",
  },
  "entries with the name of a level": {
    line: (at) => `INFO:orders.worker${at % 3}:the request of customer ${at} was handled by the main queue`,
    head: "INFO:…:the request of customer … was handled by the main queue",
    row: "orders.worker0|3",
  },
  "pairs of names and values": {
    line: (at) =>
      `time="02:10:${two(at)}" level=info msg="reconciling object" namespace=default name=web-${at} took=${at}ms`,
    head: 'time="02:10:…" level=info msg="reconciling object" namespace=default name=… took=…',
    row: "03|web-3|3ms",
  },
  "long entries with a bracket": {
    line: (at) =>
      `I1117 02:10:${two(at)}.123456       1 controller.go:219] "Starting workers" controller="certificate" controllerGroup="cert-manager.io" controllerKind="Certificate" namespace="prod" name="tls-${at}" and now waiting for the caches to be synced`,
    head: 'I1117 02:10:…       1 controller.go:219] "Starting workers" controller="certificate" controllerGroup="cert-manager.io" controllerKind="Certificate" namespace="prod" name="…" and now waiting for the caches to be synced',
    row: "03.123456|tls-3",
  },
  "long entries that end in a bracket": {
    line: (at) =>
      `[02:10:${two(at)}] worker: ${"waiting for the caches of this cluster ".repeat(5)}[trace=${at}]`,
    head: `[02:10:…] worker: ${"waiting for the caches of this cluster ".repeat(5)}[trace=…]`,
    row: "03|3",
  },
  "long steps of a build": {
    line: (at) =>
      `[ ${at}%] /usr/bin/c++ -DNDEBUG -I/src/include ${"-I/src/third_party/fmt/include ".repeat(6)}-O3 -std=gnu++20 -Wall -o core.dir/file${at}.cpp.o`,
    head: `[ …%] /usr/bin/c++ -DNDEBUG -I/src/include ${"-I/src/third_party/fmt/include ".repeat(6)}-O3 -std=gnu++20 -Wall -o core.dir/…`,
    row: "3|file3.cpp.o",
  },
};

describe("lines of one form", () => {
  const lines = (line: (at: number) => string) => Array.from({ length: 60 }, (_, at) => line(at));

  test.each(Object.entries(FORMS))("are shown by what differs: %s", (_, { line, head, row }) => {
    const read = String(shown("Bash", lines(line).join("\n"))).split("\n");
    expect(read).toHaveLength(61);
    expect(read[0]).toBe(`§each of 60 lines, own words split by |: ${head}`);
    expect(read[4]).toBe(row);
  });

  test("get another separator if they contain the first, and stay if they contain all", () => {
    const read = shown(
      "Bash",
      lines((at) => `#${at} of the web-01 and ${at}|${at} of web-02 again`).join("\n"),
    );
    expect(read).toStartWith("§each of 60 lines, own words split by ;: ");
    const all = lines((at) => `#${at} of the web-01 ${at}|;~^¦${at} again and again`).join("\n");
    expect(shown("Bash", all)).toBe(all);
  });

  test("get a separator that is not in their common text, if there is one", () => {
    const rows = lines((at) => `2026-11-17 02:10:${two(at)} | the shop | user-${at} | active`);
    expect(shown("Bash", rows.join("\n"))).toStartWith(
      "§each of 60 lines, own words split by ;: 2026-11-17 02:10:… | the shop | … | active\n00;user-0\n",
    );
    const full = lines((at) => `02:10:${two(at)} |;~^¦ user-${at} is active`);
    expect(shown("Bash", full.join("\n"))).toStartWith("§each of 60 lines, own words split by |: ");
  });

  const codeAt = (at: number) => `  const user${at} = await fetchUser(params.id, { retries: ${at} });`;
  test.each([
    "app/[slug]/page.tsx",
    "node_modules/@scope/pkg/index.js",
    "src/routes/+page.svelte",
    "app/routes/users.$id.tsx",
    "./My Project/src/users.ts",
    "app/(auth)/login/page.tsx",
    "C:\\work\\users.ts",
    "src/a=b,c;d/users.ts",
  ])("are not code that was found in %s", (path) => {
    for (const sign of [":", "-"]) {
      const found = Array.from({ length: 12 }, (_, at) => `${path}${sign}${12 + at * 7}${sign}${codeAt(at)}`);
      const read = String(shown("Bash", found.join("\n")));
      for (const at of found.keys()) expect(read).toContain(`${12 + at * 7}${sign}${codeAt(at)}`);
      const mixed = ["02:10:10 found in the project", ...found].join("\n");
      for (const at of found.keys()) expect(shown("Bash", mixed)).toContain(codeAt(at));
    }
  });

  test.each<[string, (at: number) => string]>([
    ["with columns", (at) => `${12 + at * 7}:${3 + at}:${codeAt(at)}`],
    ["with numbers", (at) => `${100 + at}${codeAt(at).slice(1)}`],
    ["with their authors", (at) => `a1b2c3d${at} (Alice 2026-01-01 12:00:00 +0000 ${10 + at})${codeAt(at)}`],
    ["of a switch", (at) => `case ${at}: return handle(request, response, ${at * 3});`],
    ["with a word before each", (at) => `info: the.rows.of.all.days(${at}) ?? await the.rows.of(day${at})`],
    ["with a level before each", (at) => `[info] let a${at} = the web of all rows, and the row ${at};`],
    ["of definitions", (at) => `#define SIZE_${at} the size of the block ${at}`],
    [
      "of a schedule",
      (at) => `${at} 3 * * * /usr/local/bin/backup --job ${at} --target s3://bucket/path-${at}`,
    ],
    ["of dates", (at) => `2026-01-${10 + at} = await load(the.rows.of.all.days, { day: ${at} });`],
    ["side by side", (at) => `let a${at} = the web of all rows    |    let b${at} = the web of all rows`],
  ])("are not statements %s", (_, line) => {
    const text = Array.from({ length: 12 }, (_, at) => line(at)).join("\n");
    expect(shown("Bash", text)).not.toContain("split by");
  });

  test.each<[string, (at: number) => string]>([
    [
      "numbered",
      (at) => `${at + 3}:2026-01-${10 + at},store ${at} of the north,open,${at * 3} pieces sold,EUR`,
    ],
    ["with a date", (at) => `2026-01-${10 + at},store ${at} of the north,open,${at * 3} pieces sold,EUR`],
    ["with a time", (at) => `02:10:${10 + at},store ${at} of the north,open,${at * 3} pieces sold,EUR`],
    [
      "with words first",
      (at) => `the ${at},2026-01-${10 + at},store ${at} of the north,open,${at * 3} pieces`,
    ],
  ])("are not records of a file: %s", (_, line) => {
    const text = Array.from({ length: 12 }, (_, at) => line(at)).join("\n");
    expect(shown("Bash", text)).not.toContain("split by");
  });

  test("stay if they share an ellipsis, come from a search, or look like numbered or changed code", () => {
    for (const text of [
      lines((at) => `#${at} waiting… for the web-01 of ${at} rows`),
      lines((at) => `${at}:return the web-01 of all ${at} rows`),
      lines((at) => `  return the_web_${at} of all ${at} rows`),
      lines((at) => `+let web${at} = the web of all ${at} rows`),
      lines((at) => `src/a.ts:${at}:return the_web(${at}) of all ${at} rows`),
    ])
      expect(shown("Bash", text.join("\n"))).not.toContain("split by");
    expect(shown("Grep", lines((at) => `#${at} of the web-01 and ${at} of web-02`).join("\n"))).not.toContain(
      "split by",
    );
  });

  test("are kept apart from lines that have less in common with them", () => {
    const others = lines(
      (at) => `Nov 17 02:10:${two(at)} web-01 nginx[${at}]: upstream timed out while reading it`,
    );
    const text = [
      "Nov 17 02:10:00 web-01 systemd[1]: Starting it",
      "Nov 17 02:10:00 web-01 systemd[1]: Started it",
    ];
    expect(
      String(shown("Bash", [...text, ...others].join("\n")))
        .split("\n")
        .slice(0, 4),
    ).toEqual([
      ...text,
      "§each of 60 lines, own words split by |: Nov 17 02:10:… web-01 nginx[…]: upstream timed out while reading it",
      "00|0",
    ]);
  });
});
