import { describe, expect, test } from "bun:test";
import { stripProgress } from "./progress-lines.ts";

describe("stripProgress", () => {
  test("keeps of a progress bar what a screen would show", () => {
    expect(stripProgress("start\n10 %\r20 %\r30 %\r50 %\r100 %\nend")).toBe("start\n100 %\nend");
    expect(stripProgress("10 %\r10 %\r60 %\r99 %\r100 %\r\nend")).toBe("100 %\r\nend");
    expect(stripProgress("a\n[=>    ] 10 %\r[=====>] 99 %\r\nend")).toBe("a\n[=====>] 99 %\r\nend");
  });

  test("keeps a few percentages without a bar", () => {
    const text = "start\n10 %\r20 %\r50 %\r100 %\nend";
    expect(stripProgress(text)).toBe(text);
  });

  test.each([
    [
      "git",
      "Receiving objects:   9% (1/11)",
      "Receiving objects: 100% (11/11), 1.20 MiB | 2.00 MiB/s, done.",
    ],
    [
      "pip",
      "   ━━━━╸━━━━━━━ 0.3/1.2 MB 980.1 kB/s eta 0:00:02",
      "   ━━━━━━━━━━━━ 1.2/1.2 MB   3.1 MB/s eta 0:00:00",
    ],
    [
      "tqdm",
      "  3%|▎         | 3/100 [00:01<00:32,  2.98it/s]",
      "100%|██████████| 100/100 [00:31<00:00,  3.20it/s]",
    ],
    [
      "curl",
      "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0",
      "100  1256  100  1256    0     0   9812      0 --:--:-- --:--:-- --:--:--  9812",
    ],
    [
      "curl, in kilobytes",
      " 44 8789k   44 3883k    0     0   699k      0  0:00:12  0:00:05  0:00:07     0",
      " 91 8789k   91 8060k    0     0  1230k      0  0:00:07  0:00:06  0:00:01  960k",
    ],
    [
      "wget",
      "a.iso                 1%[                    ]   1,234  --.-KB/s               ",
      "a.iso               100%[===================>] 123,456  1.02MB/s    in 0.1s    ",
    ],
    [
      "rsync",
      "      1,234,567   9%    1.20MB/s    0:00:05  ",
      "     12,345,678 100%    1.10MB/s    0:00:00 (xfr#1, to-chk=0/3)",
    ],
    [
      "rsync, with growing numbers",
      "         32,768   0%    0.00kB/s    0:00:00  ",
      "    104,857,600 100%   98.12MB/s    0:00:01 (xfr#1, to-chk=0/3)",
    ],
    ["a count in a bar", "[=>        ] 999/5,000 rows", "[==========] 5,000/5,000 rows"],
    [
      "ffmpeg",
      "frame=   25 fps= 31 q=29.0 size=     256kB time=00:00:01.00 bitrate= 524.3kbits/s speed=1.21x",
      "frame=   50 fps= 25 q=28.0 size=     512kB time=00:00:02.00 bitrate= 498.1kbits/s speed=1.01x",
    ],
    [
      "wget, with the remaining time",
      "a.iso                 1%[                    ]   1,234  --.-KB/s    eta 5s     ",
      "a.iso               100%[===================>] 123,456  1.02MB/s    in 0.1s    ",
    ],
    [
      "cargo",
      "    Building [=>                   ] 10/150: serde, syn            ",
      "    Building [===================> ] 149/150: cargo                ",
    ],
    [
      "npm",
      "[###...............] - reify:lodash: http fetch GET 200 lodash-4.tgz",
      "[##################] - reify:chalk: timing reify:audit Completed in 9ms",
    ],
    [
      "docker",
      "3f2a9c41: Downloading [=>        ]   1.2MB/52.1MB",
      "3f2a9c41: Downloading [=========>]  52.0MB/52.1MB",
    ],
    ["apt", "Progress: [ 10%] [#.........]", "Progress: [100%] [##########]"],
    ["a spinner", "⠋ installing", "⠙ installing"],
    ["a spinner of signs", "installing |", "installing \\"],
  ])("recognizes the progress of %s", (_, before, after) => {
    expect(stripProgress(`start\n${before}\r${before}\r${after}\nend`)).toBe(`start\n${after}\nend`);
  });

  const states = (state: (at: number) => string, count = 60) =>
    Array.from({ length: count }, (_, at) => state(at + 1)).join("\r");
  const wide = (number: number, width = 6) => String(number).padStart(width);

  test.each([
    [
      "dd",
      (at: number) =>
        `${at + 10}00000000 bytes (${at + 10}.0 GB, 9.3 GiB) copied, ${at} s, ${100 + (at % 3)} MB/s`,
    ],
    ["aws", (at: number) => `Completed ${wide(at)} KiB/60.0 MiB (1.2 MiB/s) with 1 file(s) remaining`],
    ["a counter", (at: number) => `processed ${wide(at * 100)} rows`],
    ["a countdown", (at: number) => `Retrying in ${wide(60 - at)} seconds`],
    ["a clock", (at: number) => `Elapsed: 00:${new Date((at + 30) * 1_000).toISOString().slice(14, 19)}`],
    ["growing dots", (at: number) => `Loading${".".repeat(at)}`],
    ["a spinner in front", (at: number) => `${"|/-\\"[at % 4]} Loading`],
    ["apt", (at: number) => `(Reading database ... ${wide(at, 3)}%`],
    [
      "rclone",
      (at: number) =>
        `Transferred: ${wide(at + 10)} MiB / 100 MiB, ${at + 10}%, 1.${at % 7} MiB/s, ETA ${70 - (at % 9)}m${10 + at}s`,
    ],
    ["rows and a time", (at: number) => `processed ${wide(at * 100)} rows in ${wide(at)} s`],
  ])("recognizes the progress of %s by five or more similar states", (_, state) => {
    expect(stripProgress(`start\n${states(state)}\nend`)).toBe(`start\n${state(60)}\nend`);
    expect(stripProgress(`start\n${states(state, 5)}\r\nend`)).toBe(`start\n${state(5)}\r\nend`);
    const few = `start\n${states(state, 4)}\nend`;
    expect(stripProgress(few)).toBe(few);
  });

  test.each([
    ["numbers", (at: number) => `${wide(at)} ${wide(at * 7)}`],
    ["sizes", (at: number) => `${wide(at)} kB`],
    ["fields and a word", (at: number) => `${wide(at)},apple,5`],
    ["fields of a name with a number", (at: number) => `item${wide(at, 2)},${wide(at * 100)}`],
    ["fields between tabs", (at: number) => `${wide(at)}\tapple\t5`],
    ["fields between bars", (at: number) => `| ${wide(at)} | apple |`],
    ["objects", (at: number) => `{"id": ${wide(at)}, "name": "apple"}`],
    ["elements", (at: number) => `<apple>${wide(at)}</apple>`],
    ["statements", (at: number) => `apple[${wide(at)}] = 5;`],
    ["days", (at: number) => `2026-01-${at + 10} apple ${wide(at)}`],
    ["other words", (at: number) => `${wide(at)} ${"apple".slice(at % 2)}`],
    ["fields and a percentage", (at: number) => `${2000 + at},${wide(at, 2)}.5%`],
    ["fields and a count", (at: number) => `apple,${at + 10}/100`],
    ["falling percentages", (at: number) => `fold ${wide(at, 2)}: accuracy ${10 + ((at * 37) % 80)}.5%`],
    ["falling counts", (at: number) => `score of round ${wide(at, 2)}: ${10 + ((at * 37) % 80)}/100`],
    ["measurements", (at: number) => `temp ${20 + ((at * 7) % 13)}.5 C`],
    ["training results", (at: number) => `epoch ${wide(at, 2)} loss ${(9 - at / 10).toFixed(3)}`],
    ["rising percentages", (at: number) => `fold ${wide(at, 2)}: accuracy ${wide(at + 20)}.5%`],
    ["numbered measurements", (at: number) => `temp at step ${wide(at)} is ${wide(20 + at)} degrees`],
    ["invoices", (at: number) => `Invoice ${1000 + at} total ${1200 + at * 3} EUR`],
    ["money", (at: number) => `paid ${wide(at)} $`],
    ["names and a count", (at: number) => `copied file${wide(at, 2).trim().padStart(2, "0")} ${wide(at)}/60`],
    ["names and a bar", (at: number) => `file${10 + at} [==========] 100%`],
    ["names and a spinner", (at: number) => `⠋ file${10 + at} is done`],
    ["counts of other sums", (at: number) => `class ${wide(at, 2)}: ${10 + at}/${20 + at * 2}`],
  ])("keeps many records of %s", (_, record) => {
    const text = `$ cat a\n${states(record)}\nend`;
    expect(stripProgress(text)).toBe(text);
  });

  test("keeps the last state of each of several bars", () => {
    const bars = ["get [=    ] 1%", "get [=====] 100%", "unpack [=    ] 1%", "unpack [=====] 100%"];
    expect(stripProgress(`a\n${bars.join("\r")}\n`)).toBe(`a\n${bars[1]}\r${bars[3]}\n`);
    const again = ["[===    ] 40%", "[=======] 99%", "[===    ] 10%", "[=======] 90%"];
    expect(stripProgress(`a\n${again.join("\r")}\n`)).toBe(`a\n${again[1]}\r${again[3]}\n`);
  });

  test("keeps states with an outcome that the last one does not have, and the state before", () => {
    const results = (failed: number) =>
      Array.from({ length: 20 }, (_, at) => {
        const result = at + 1 === failed ? "FAILED" : "passed";
        return `Running test ${wide(at + 1, 2)}/20: ${result}`;
      });
    const [all, last] = [results(10), results(20)];
    expect(stripProgress(`a\n${all.join("\r")}\n`)).toBe(`a\n${all[8]}\r${all[9]}\r${all[19]}\n`);
    expect(stripProgress(`a\n${last.join("\r")}\n`)).toBe(`a\n${last[18]}\r${last[19]}\n`);
    const bars = all.map((state) => `${state.replace("Running", "[=====>    ]")}`);
    expect(stripProgress(`a\n${bars.join("\r")}\n`)).toContain("FAILED");
    const few = `a\n${results(4).slice(0, 8).join("\r")}\n`;
    expect(stripProgress(few)).toBe(few);
  });

  test("keeps the name of each failure beside a bar", () => {
    const results = ["alpha passed", "login FAILED", "logout FAILED", "zeta1 passed", "zeta2 passed"];
    const bars = results.map((result, at) => `[${"#".repeat(at + 1)}   ] ${at + 1}/10 ${result.padEnd(24)}`);
    const left = [...bars.slice(0, 3), bars[4]].join("\r");
    expect(stripProgress(`a\n${bars.join("\r")}\nend\n`)).toBe(`a\n${left}\nend\n`);
  });

  const bars = (beside: (at: number) => string) =>
    Array.from({ length: 20 }, (_, at) => {
      const bar = `[${"=".repeat(at)}>${" ".repeat(20 - at)}] ${wide(at + 1, 2)}/20`;
      return `${bar} ${beside(at)}`.padEnd(60);
    });

  test.each<[string, string, string]>([
    ["a host that is down", "host-#: up", "host-#: DOWN"],
    ["a file with a virus", "scanning file#.bin: clean", "scanning file#.bin: INFECTED"],
    ["a checksum that differs", "sha256 part# OK", "sha256 part# MISMATCH"],
    ["a page that is missing", "GET /items/# 200", "GET /items/# 404"],
    ["an error in another language", "Datei # fertig", "Datei # Fehler"],
    ["a number that is NaN", "loss=0.#3", "loss=nan"],
  ])("keeps a state beside a bar that differs from nearly all others: %s", (_, usual, odd) => {
    const states = bars((at) => (at === 7 ? odd : usual).replace("#", String(at + 10)));
    expect(stripProgress(`a\n${states.join("\r")}\nend\n`)).toBe(`a\n${states[7]}\r${states[19]}\nend\n`);
  });

  test.each<[string, (at: number) => string]>([
    ["the current item", (at) => `compiling ${["serde", "syn", "quote", "tokio"][at % 4]}`],
    [
      "values that are unknown at first",
      (at) => (at === 0 ? "[00:00<?, ?it/s]" : `[00:0${at % 9}<00:10, ${at}it/s, loss=0.${at}]`),
    ],
    ["a size that grows", (at) => (at < 2 ? "--.-KB/s" : `${at}.5 MB  1.${at}MB/s eta ${20 - at}s`)],
    ["a count of errors", (at) => `errors: ${at < 17 ? 0 : 1}`],
    ["phases", (at) => (at < 12 ? "reading the rows" : "writing the rows")],
    [
      "values that are N/A at first",
      (at) => (at < 3 ? "bitrate=N/A speed=N/A" : `bitrate=1.${at} speed=2.${at}x`),
    ],
    ["small numbers", (at) => (at % 7 === 3 ? `loss=${at}e-05` : `loss=0.${at + 100}`)],
  ])("keeps only the last state of a bar with %s", (_, beside) => {
    const states = bars((at) => `step ${beside(at)}`);
    expect(stripProgress(`a\n${states.join("\r")}\nend\n`)).toBe(`a\n${states[19]}\nend\n`);
  });

  test.each<[string, (at: number) => string]>([
    ["with the same text in all its states", () => "reading the rows"],
    ["that counts", (at) => `reading row ${at} of the table`],
    ["that names the current item", (at) => `reading ${["serde", "syn", "quote", "tokio"][at % 4]}`],
  ])("keeps the last state of a short phase of a bar: %s", (_, phase) => {
    const states = Array.from({ length: 100 }, (_, at) => {
      const bar = `[${"=".repeat(at / 5)}>${" ".repeat(20 - at / 5)}] ${wide(at + 1, 3)}/100`;
      return `${bar} step ${at < 19 ? phase(at) : "writing the rows"}`.padEnd(70);
    });
    expect(stripProgress(`a\n${states.join("\r")}\nend\n`)).toBe(`a\n${states[18]}\r${states[99]}\nend\n`);
  });

  test("keeps those of several odd states in a row that differ from each other", () => {
    const states = bars(
      (at) => `host-${at < 8 ? at : Math.max(at - 1, 8)}: ${at > 6 && at < 10 ? "DOWN" : "up"}`,
    );
    const left = [states[7], states[9], states[19]].join("\r");
    expect(stripProgress(`a\n${states.join("\r")}\nend\n`)).toBe(`a\n${left}\nend\n`);
  });

  test("keeps the last state of each round", () => {
    const rounds = [1, 2].flatMap((round) =>
      [10, 60, 99].map(
        (share) => `Epoch ${round}/2: ${share}%|█████     | ${share}/100 [00:01<00:09, 3it/s]`,
      ),
    );
    expect(stripProgress(`a\n${rounds.join("\r")}\n`)).toBe(`a\n${rounds[2]}\r${rounds[5]}\n`);
  });

  test.each([
    ["records", "$ cat a.csv\r\nid,name,qty\r1,apple,5\r2,a pear,6\r3,some more apples,7\n"],
    ["records of numbers", "$ cat a.csv\n1,2,3\r4,5,6\r7,8,9\n"],
    ["days", "$ cat a.csv\n1,apple,01/02/2026\r2,apple,01/03/2026\n"],
    ["titles", "$ make\n=== Result A: FAIL ===\r=== Result B: PASS ===\r=== Result B: PASS ===\n"],
    ["other words", "$ make\ncompiling\rlinking it\rcleaning it up\n"],
    ["a text without line breaks", "1 %\r2 %\r30 %\r50 %\r100 %"],
    ["a text with a line break only at its end", "1 %\r2 %\r30 %\r50 %\r100 %\n"],
  ])("keeps %s", (_, text) => {
    expect(stripProgress(text)).toBe(text);
  });

  test("keeps states that the last one does not cover", () => {
    expect(stripProgress("a long line\rshort")).toBe("a long line\rshort");
  });

  test("keeps line breaks of every kind", () => {
    expect(stripProgress("one\r\ntwo\r\n")).toBe("one\r\ntwo\r\n");
    expect(stripProgress("a long first line\rsecond")).toBe("a long first line\rsecond");
    expect(stripProgress("")).toBe("");
  });
});
