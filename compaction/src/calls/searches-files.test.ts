import { expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { searchesFiles } from "./searches-files.ts";

const inputOf = (command: unknown) => JSON.stringify({ command });

test.each([
  "grep -n RED colours.sh",
  "egrep 'RED|NC' colours.sh",
  "cd /srv/app && /usr/bin/grep -rn --include=*.sh RED .",
  "rg RED",
  "rg --color never RED",
  "rg -tcl RED src",
  "grep --color=auto RED colours.sh",
  "git grep -n RED",
  "git -C /srv --no-pager grep RED",
  "find . -name '*.sh' -exec grep -n RED {} +",
  "find . -name '*.sh' | xargs grep -n RED",
  "LC_ALL=C sudo grep -n RED /etc/profile",
  "for f in *.sh; do grep RED $f; done",
  "sudo bash -lc \"cd app && sh -c 'grep RED colours.sh'\"",
  "time timeout 20s rg RED",
  "ls -la; grep -c RED a.sh; ag RED | grep -v NC | sort",
  'grep -n "RED; or | NC" colours.sh 2>&1 | head',
  "grep -n build.log colours.sh",
  "grep -e RED -e NC build.log colours.sh",
])("%j shows lines of files", (command) => {
  expect(searchesFiles(inputOf(command))).toBe(true);
});

test.each([
  "make",
  "make 2>&1 | grep -n error",
  "make 2>&1 |& grep error",
  "grep -q RED colours.sh && make",
  "grep -rlE RED src; make",
  "grep --count RED colours.sh",
  "grep -n 'a b' build.log",
  "grep -A 3 -n error /tmp/build.log deploy.log.2",
  "grep -e error build.log",
  "grep --color=always RED colours.sh",
  "grep --colour=always RED colours.sh",
  "rg --color always RED",
  "rg -p RED",
  "git grep --color RED",
  "git -c color.ui=always grep RED",
  "echo grep RED",
  "npm test -- -t 'grep finds words'",
  "npm run grep",
  "grep -rn RED src; npm test",
  "grep -n RED package.json && npm ci && npm test",
  "make > build.log 2>&1\ngrep -n RED colours.sh",
  "grep -rn RED src; tail -5 build.log",
  "grep -rn RED src; grep error build.log",
  "find . -name '*.log' | xargs grep error",
  "find . -name grep",
  "docker build -t grep .",
  "docker exec web grep RED colours.sh",
  "git log -S grep -p",
  "git checkout ag main",
  "command -v grep rg",
  "echo '\\033[1mRED'; grep -rn RED src",
  "GREP_OPTIONS=--color=always grep RED colours.sh",
  "ls --color; grep RED colours.sh",
  "grep RED $(make list)",
  "ps aux | grep RED",
  "cargo ag",
])("%j does not show unchanged lines of files", (command) => {
  expect(searchesFiles(inputOf(command))).toBe(false);
});

test("a command may be a list of words, and is a search only if it has at most a few hundred", () => {
  expect(searchesFiles(inputOf(["bash", "-lc", "grep -n RED colours.sh"]))).toBe(true);
  expect(searchesFiles(inputOf(["rg", "-n", "RED", "colours.sh"]))).toBe(true);
  expect(searchesFiles(inputOf(["rg", "RED", ...Array(380).fill("a.sh")]))).toBe(true);
  expect(searchesFiles(inputOf(["rg", "RED", ...Array(420).fill("a.sh")]))).toBe(false);
  expect(searchesFiles(inputOf(`rg RED ${"a.sh ".repeat(380)}`))).toBe(true);
  expect(searchesFiles(inputOf(`rg RED ${"a.sh ".repeat(420)}`))).toBe(false);
});

test("the description of a command is not read as a command", () => {
  const description = "grep test failures";
  expect(searchesFiles(JSON.stringify({ command: "npm test", description }))).toBe(false);
  expect(searchesFiles(JSON.stringify({ description, cmd: "rg RED" }))).toBe(true);
  expect(searchesFiles(JSON.stringify({ description, cmd: "rg RED", input: "make" }))).toBe(false);
});

test("arguments that are not JSON are read as a command", () => {
  expect(searchesFiles("cd a; grep -n RED colours.sh")).toBe(true);
});

test("a hostile script of 9 KB or 1 MB is checked within 60 ms", () => {
  for (const sign of ["'", '"', "\\", "$(", "grep '", 'grep "\\"', "|", "a=1 ", "'a b' ", "find "]) {
    for (const length of [9_000, 1_000_000]) {
      const input = inputOf(`grep ${sign.repeat(length / sign.length)}`);
      expect(fastestMs(() => searchesFiles(input), 3, 60)).toBeLessThan(60);
    }
  }
});

test("a command of 200 long scripts is checked within 60 ms", () => {
  const input = inputOf(Array.from({ length: 200 }, () => "grep -q a b; ".repeat(1_500)));
  expect(fastestMs(() => searchesFiles(input), 3, 60)).toBeLessThan(60);
});
