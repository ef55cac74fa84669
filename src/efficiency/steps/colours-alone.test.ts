import { expect, test } from "bun:test";
import { readColouredLines } from "./coloured-lines.ts";
import { isToldByColours } from "./colours-alone.ts";

/** Codes by their numbers: `<31>` for red, and so on, up to `<0>`. */
const paint = (text: string) => text.replaceAll(/<([\d;]+)>/g, "\x1b[$1m");

function isTold(text: string): boolean {
  const painted = paint(text);
  return isToldByColours(painted, readColouredLines(painted));
}

test.each([
  [
    "what is done is struck through",
    "Tasks:\n<9>write the tests<29>\nmend the parser\n<9>bump the version<0>\n",
  ],
  ["what is done is struck through and dim", "<2;9>write the tests<0>\nmend the parser\n"],
  ["cells have nothing but a ground", "<41>  <0> web-1\n<42>  <0> web-2\n<42>  <0> web-3\n"],
  ["cells touch each other", "CI: <42> <0><42> <0><41> <0><42> <0>\n"],
  ["cells are bright", "<101>  <49> web-1\n<102>  <49> web-2\n"],
  ["lines are red or green", "<31>web-1<0>\n<32>web-2<0>\n<32>web-3<0>\n<31>web-4<0>\n"],
  ["lines are indented", "  <32>a.ts is known to all<0>\n  <31>b.ts is known to all<0>\n"],
])("nothing but codes tells it where %s", (_, text) => {
  expect(isTold(text)).toBe(true);
});

test.each([
  ["a colour of the palette has that number", "<38;5;9>web-1<0>\n<48;5;9>  <0>\n"],
  ["a blank is struck through", "a<9> <29>b\n"],
  ["all cells have one colour", "<41>  <0> web-1\n<41>  <0> web-2\n"],
  ["blanks stand around the word on a ground", "<42> <1>PASS<22> <0> a.ts\n<41> <1>FAIL<22> <0> b.ts\n"],
  ["lines are of one colour", "<31>web-1<0>\nweb-2\n<31>web-3<0>\n"],
  ["lines stand apart", "Staged:\n  <32>modified: a.ts<0>\nNot staged:\n  <31>modified: a.ts<0>\n"],
  [
    "lines begin with signs",
    "<31>-const a = 1;<0>\n<32>+const a = 2;<0>\n<31>- Expected<0>\n<32>+ Received<0>\n",
  ],
  ["signs say how it went", "<32>✓ works as it should<0>\n<31>✗ works not at all<0>\n"],
  [
    "words say how it went",
    "<32>12 passing (3 s)<0>\n<31>1 failing<0>\n<32>Server is up<0>\n<31>Error: no such file<0>\n",
  ],
  ["what is chosen is reversed", "/dev/sda\n<7>/dev/sdb<27>\n/dev/sdc\n"],
])("it is told by more than codes where %s", (_, text) => {
  expect(isTold(text)).toBe(false);
});
