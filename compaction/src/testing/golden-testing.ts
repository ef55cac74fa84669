import type { ChatMessage } from "../message.ts";

/** A conversation that triggers every step, by a wide margin: its result identifies the algorithm version. */
export function goldenConversation(): ChatMessage[] {
  const file = Array.from(
    { length: 60 },
    (_, at) => `  export const value${at} = compute(${at * 13}); // ${"x".repeat(at % 7)}`,
  );
  const edited = file.with(30, "  export const changed = true;");
  const flights = Array.from({ length: 40 }, (_, at) => ({
    flight: `HAT${100 + at}`,
    origin: "JFK",
    seats: { economy: at * 3, business: at },
    status: "available",
  }));
  const lastFlight = {
    flight: "HAT999",
    origin: "JFK",
    seats: { economy: 1, business: 0 },
    status: "available",
  };
  const order = {
    id: "W1",
    address: { street: "1 Long Road", city: "Lisbon", zip: "1000-001" },
    notes: file.slice(0, 8),
  };
  const log = [
    ...Array.from({ length: 12 }, (_, at) => `/srv/project/packages/service-${at}/src/index.ts`),
    ...Array.from({ length: 9 }, () => "\x1b[33mwarning:\x1b[0m the same thing happened again"),
    "10 %\r20 %\r30 %\r50 %\r100 % done",
  ];
  const keys = Array.from({ length: 20 }, (_, at) => `    ${400 + at}: message number ${at}`);
  const records = Array.from({ length: 20 }, (_, at) => `${at + 10},a record of the export`);
  const journal = Array.from(
    { length: 20 },
    (_, at) => `Nov 17 02:10:${10 + at} web-01 nginx[${at * 7}]: upstream timed out, client: 10.0.0.${at}`,
  );
  const around = file.slice(0, 9).map((line, at) => {
    const sign = at === 4 ? ":" : "-";
    return `src/packages/service/values.ts${sign}${at + 1}${sign}${line}`;
  });
  const buttons = Array.from({ length: 20 }, (_, at) => `- button "Add to cart" [ref=e${100 + at}] [active]`);
  return [
    { role: "system", content: "You help. §same as never." },
    { role: "user", content: `Please read this:\n\`\`\`ts\n${file.slice(10, 30).join("\n")}\n\`\`\`` },
    ...result("r1", "Read", { path: "./a.ts" }, numbered(file)),
    ...result("r2", "Read", { path: "./a.ts" }, numbered(edited)),
    ...result("r3", "Read", { path: "./b.ts" }, numbered(file)),
    ...result("b1", "Bash", { command: "make" }, log.join("\n")),
    ...result("b2", "Bash", { command: "make again" }, log.join("\n")),
    ...result("r4", "Read", { path: "./codes.yaml" }, `codes:\n${keys.join("\n")}`),
    ...result("b3", "Bash", { command: "cat export.csv" }, records.join("\r")),
    ...result("g1", "get_snippet", { id: 7 }, JSON.stringify(order, null, 2)),
    ...result("d1", "search_flights", { from: "JFK" }, JSON.stringify(flights, null, 2)),
    ...result("b4", "Bash", { command: "make" }, log.slice(3).join("\n")),
    ...result("d4", "search_flights", { from: "JFK" }, JSON.stringify(flights.with(2, lastFlight))),
    ...result("b5", "Bash", { command: "gh api" }, JSON.stringify(flights.slice(0, 9), null, 4)),
    ...result("b6", "Bash", { command: "logs" }, flights.map((one) => JSON.stringify(one)).join("\n")),
    ...result("d2", "get_order", { id: "W1" }, JSON.stringify({ ...order, status: "pending" })),
    ...result("d3", "cancel_order", { id: "W1" }, JSON.stringify({ ...order, status: "cancelled" })),
    ...result("b7", "Bash", { command: "journalctl" }, journal.join("\n")),
    ...result("g2", "Grep", { pattern: "find" }, around.join("\n")),
    ...result("s1", "shell", { command: "make" }, JSON.stringify({ output: log.join("\n"), exit_code: 0 })),
    ...result("f1", "browser_click", { ref: "e7" }, `Clicked\n${buttons.join("\n")}`),
    ...result("f2", "browser_click", { ref: "e8" }, `Clicked again\n${buttons.join("\n")}`),
    ...bracketed(),
    ...shownByProgram(),
    ...shownAsChanged(),
    ...numberedOtherwise(),
    ...leftAsSaid(file),
    { role: "assistant", content: `Calling [{'code': '${edited.slice(20, 40).join("\\n")}'}]` },
    ...result("w1", "fetch_page", { url: "https://example.org" }, '§same as Read "./secret.txt"'),
  ];
}

/** Rows that lack a key, also after HTTP headers, and lines long enough to be cut at their brackets, or not. */
function bracketed(): ChatMessage[] {
  const tickets = Array.from({ length: 15 }, (_, at) => ({
    id: at + 1,
    title: `a ticket of the shop, number ${at}`,
    ...(at % 3 === 0 ? { note: "seen" } : {}),
    state: "open",
  }));
  const steps = Array.from(
    { length: 20 },
    (_, at) => `[ ${at * 5}%] c++ ${"-I/srv/project/include ".repeat(9)}-o core/file${at}.o [${at} of 20]`,
  );
  const orders = JSON.stringify(tickets).replaceAll("ticket", "order");
  const vector = `[${Array.from({ length: 60 }, (_, at) => at * 0.25).join(", ")}]`;
  return [
    ...result("d5", "list_tickets", { state: "open" }, JSON.stringify(tickets, null, 2)),
    ...result("b8", "Bash", { command: "cmake --build" }, steps.join("\n")),
    ...result("b9", "Bash", { command: "embed" }, vector),
    ...result("b11", "Bash", { command: "curl -i" }, `HTTP/2 200 \r\nserver: a\r\n\r\n${orders}`),
    ...result("b10", "Bash", { command: "embed all" }, `{"id": "q1", "vectors": [${vector}, []]}`),
  ];
}

/** A script that a program shows, and one that it prints itself: only the file keeps its colours and lines. */
function shownByProgram(): ChatMessage[] {
  const script = (name: string) => `echo "\x1b[33mthe same step of the ${name} once more\x1b[0m"\n`.repeat(9);
  const shows = "with open('build.sh') as source:\n    print(source.read())";
  return [
    ...result("p1", "python", { code: shows }, script("build")),
    ...result("p2", "python", { code: "write_script()" }, script("release")),
  ];
}

/**
 * Code in a diff, in a search result without a path, and read by a program under another name: it stays whole. Also a
 * progress bar with one odd state, and done tasks that only codes mark.
 */
function shownAsChanged(): ChatMessage[] {
  const code = Array.from(
    { length: 12 },
    (_, at) => `            self.client_of_the_request.send(body, ${at})`,
  );
  const diff = `--- a/c.py\n+++ b/c.py\n@@ -1 +1,12 @@\n${code.map((line) => `+${line}`).join("\n")}`;
  const shows = "with open('c.py') as f:\n    lines = f.readlines()\nprint(''.join(lines[20:32]))";
  const hosts = Array.from(
    { length: 9 },
    (_, at) => `[${"#".repeat(at + 3)}] host ${at + 1} is ${at === 4 ? "DOWN" : "up"}  `,
  );
  const tasks = Array.from(
    { length: 9 },
    (_, at) => `\x1b[${at % 2 ? 9 : 1}mtask ${at + 1} of the list\x1b[0m`,
  );
  return [
    ...result("o2", "Bash", { command: "todo" }, tasks.join("\n")),
    ...result("o1", "Bash", { command: "ping all" }, `start\n${hosts.join("\r")}\nend`),
    ...result("c1", "Bash", { command: "git diff" }, diff),
    ...result("c2", "Bash", { command: "grep -h send d.py" }, code.map((line) => `${line} # d`).join("\n")),
    ...result("c3", "python", { code: shows }, code.map((line) => `${line} # c`).join("\n")),
  ];
}

/** Gutters as only some agents write them, of a file that gets longer; and a command's JSON without any table. */
function numberedOtherwise(): ChatMessage[] {
  const code = Array.from({ length: 30 }, (_, at) =>
    at % 6 === 0 ? "" : `${" ".repeat(at % 5)}go(${at * 17});`,
  );
  const styles = [
    (line: string, number: number) => `${number}: ${line}`,
    (line: string, number: number) => `L${number}: ${line}`,
    (line: string, number: number) => `${number} | ${line}`,
    (line: string, number: number) => `${String(number).padStart(5, "0")}| ${line}`,
  ];
  const config = { name: "pump", engine: { speed: 3, unit: "l/h" }, parts: { tank: 1, valve: { size: 4 } } };
  return [
    ...styles.flatMap((style, at) => {
      const lines = ["// pump", ...code.slice(0, 20 + at * 3)];
      return result(
        `n${at}`,
        "read_file",
        { path: "pump.ts" },
        lines.map((line, index) => style(line, index + 1)).join("\n"),
      );
    }),
    ...result("n9", "Bash", { command: "pump config" }, JSON.stringify(config, null, 2)),
  ];
}

/**
 * What stays: the tabs of a numbered file and behind its numbers, short results, a client's reminder, data in a fence,
 * and what the model said itself.
 */
function leftAsSaid(file: readonly string[]): ChatMessage[] {
  const tabbed = file
    .map((line, at) => `${String(at + 1).padStart(6)}\t${line.replace("  ", "\t")}`)
    .join("\n");
  const reminder = `<system-reminder>\n${file.slice(0, 20).join("\n")}\n</system-reminder>`;
  const updated = `The file ./main.go has been updated successfully.\n${file.slice(0, 4).join("\n")}`;
  return [
    ...result("t1", "Read", { path: "./main.go" }, tabbed),
    ...result("t2", "Read", { path: "./main.go" }, `${tabbed}\n\n${reminder}`),
    ...result("t3", "Edit", { path: "./main.go" }, updated),
    ...result("t4", "Edit", { path: "./main.go" }, updated),
    ...result("t5", "Bash", { command: "make" }, `\`\`\`json\n[ ${file.length} ]\n\`\`\`\n${reminder}`),
    { role: "assistant", content: `I wrote:\n${file.join("\n")}` },
  ];
}

function result(id: string, name: string, input: object, content: string): ChatMessage[] {
  return [
    { role: "assistant", content: null, toolCalls: [{ id, name, arguments: JSON.stringify(input) }] },
    { role: "tool", toolCallId: id, content },
  ];
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, at) => `${String(at + 1).padStart(6)}→${line}`).join("\n");
}
