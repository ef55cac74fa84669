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
  "ssh host 'cd app; ag RED'",
  "docker exec web bash -lc \"cd app && sh -c 'grep RED colours.sh'\"",
  'grep -n "RED; or | NC" colours.sh 2>&1 | head',
  "make > build.log 2>&1\ngrep -n RED colours.sh",
  "grep -n build.log colours.sh",
  "grep -e RED -e NC build.log colours.sh",
])("lines of files are what %j shows", (command) => {
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
  "cargo ag",
])("lines of files, as they stand there, are not what %j shows", (command) => {
  expect(searchesFiles(inputOf(command))).toBe(false);
});

test("a command may be given word by word", () => {
  expect(searchesFiles(inputOf(["bash", "-lc", "grep -n RED colours.sh"]))).toBe(true);
  expect(searchesFiles(inputOf(["rg", "-n", "RED", "colours.sh"]))).toBe(true);
});

test("arguments that are no JSON are a command", () => {
  expect(searchesFiles("cd a; grep -n RED colours.sh")).toBe(true);
});

test("a long script is not read to its end", () => {
  for (const sign of ["'", '"', "\\", "$(", "grep '", 'grep "\\"', "|", "a=1 ", "'a b' ", "find "]) {
    const input = inputOf(`grep ${sign.repeat(200_000)}`);
    expect(fastestMs(() => searchesFiles(input), 3, 60)).toBeLessThan(60);
  }
});
