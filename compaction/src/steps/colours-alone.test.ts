import { expect, test } from "bun:test";
import { readColouredLines } from "./coloured-lines.ts";
import { isToldByColours } from "./colours-alone.ts";

/** Replaces `<31>` with the escape sequence for red, and so on, up to `<0>`. */
const paint = (text: string) => text.replaceAll(/<([\d;]+)>/g, "\x1b[$1m");

function isTold(text: string): boolean {
  const painted = paint(text);
  return isToldByColours(painted, readColouredLines(painted));
}

test.each([
  [
    "finished tasks are struck through",
    "Tasks:\n<9>write the tests<29>\nmend the parser\n<9>bump the version<0>\n",
  ],
  ["finished tasks are struck through and dim", "<2;9>write the tests<0>\nmend the parser\n"],
  ["cells have only a background", "<41>  <0> web-1\n<42>  <0> web-2\n<42>  <0> web-3\n"],
  ["cells touch each other", "CI: <42> <0><42> <0><41> <0><42> <0>\n"],
  ["cells are bright", "<101>  <49> web-1\n<102>  <49> web-2\n"],
  ["lines are red or green", "<31>web-1<0>\n<32>web-2<0>\n<32>web-3<0>\n<31>web-4<0>\n"],
  ["lines are indented", "  <32>a.ts is known to all<0>\n  <31>b.ts is known to all<0>\n"],
  ["names contain words of outcomes", "<32>up.ts<0>\n<31>set-up.ts<0>\n"],
])("only codes carry the meaning if %s", (_, text) => {
  expect(isTold(text)).toBe(true);
});

test.each([
  ["a palette colour has the number of strike-through", "<38;5;9>web-1<0>\n<48;5;9>  <0>\n"],
  ["a blank is struck through", "a<9> <29>b\n"],
  ["all cells have one colour", "<41>  <0> web-1\n<41>  <0> web-2\n"],
  ["blanks surround a word on a background", "<42> <1>PASS<22> <0> a.ts\n<41> <1>FAIL<22> <0> b.ts\n"],
  ["lines are of one colour", "<31>web-1<0>\nweb-2\n<31>web-3<0>\n"],
  ["lines are not adjacent", "Staged:\n  <32>modified: a.ts<0>\nNot staged:\n  <31>modified: a.ts<0>\n"],
  [
    "lines begin with signs",
    "<31>-const a = 1;<0>\n<32>+const a = 2;<0>\n<31>- Expected<0>\n<32>+ Received<0>\n",
  ],
  ["signs say the outcome", "<32>✓ works as it should<0>\n<31>✗ works not at all<0>\n"],
  [
    "words say the outcome",
    "<32>12 passing (3 s)<0>\n<31>1 failing<0>\n<32>Server is up<0>\n<31>Error: no such file<0>\n",
  ],
  ["a log level says it", "<32>INFO:app:started<0>\n<1;31>CRITICAL:app:disk is full<0>\n"],
  ["a protocol says it", "<32>ok 1 - parses<0>\n<31>not ok 2 - writes<0>\n"],
  ["a state says it", "<32>web-1 is up<0>\n<31>web-2 is down.<0>\n"],
  ["yes or no says it", "<32>is known: yes<0>\n<31>is known: no<0>\n"],
  ["a trace begins", "<32>Listening on 8080<0>\n<31>Traceback (most recent call last):<0>\n"],
  ["counts say of what", "<32>12 parsed<0>\n<31>1 broken<0>\n"],
  ["counts of changes say of what", "<32>3 files added<0>\n<31>2 files removed<0>\n"],
  ["a mark after it says it", "<32>web-1 ✓<0>\n<31>web-2 ✗<0>\n"],
  ["percentages say it", "<32>lines: 98.5%<0>\n<31>branches: 20%<0>\n"],
  [
    "cells say it in numbers",
    "<32;1> a.ts <0>|<32;1>  100 <0>|<32;1>   <0>\n<31;1> b.ts <0>|<31;1>  0 <0>|<31;1> 1-40 <0>\n",
  ],
  [
    "an underline colour has the number of strike-through",
    "<4;58;5;9>word<59;24>\n<4;58;2;0;9;9>word<59;24>\n",
  ],
  ["the selected line is reversed", "/dev/sda\n<7>/dev/sdb<27>\n/dev/sdc\n"],
])("more than codes carries the meaning if %s", (_, text) => {
  expect(isTold(text)).toBe(false);
});
