import { expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { stripSearchColours } from "./search-colours.ts";

/** Each text as the program writes it, with <E> for the escape character. */
const read = (text: string) => text.replaceAll("<E>", "\x1b");

test.each([
  [
    "grep",
    "<E>[35m<E>[Kc.sh<E>[m<E>[K<E>[36m<E>[K:<E>[m<E>[K<E>[32m<E>[K2<E>[m<E>[K<E>[36m<E>[K:<E>[m<E>[K<E>[01;31m<E>[KRED<E>[m<E>[K='<E>[31m'",
    "c.sh:2:RED='<E>[31m'",
  ],
  ["grep, for the escape character itself", "RED='<E>[01;31m<E>[K<E><E>[m<E>[K[31m'", "RED='<E>[31m'"],
  [
    "rg",
    "<E>[0m<E>[35m./c.sh<E>[0m:<E>[0m<E>[32m3<E>[0m:<E>[0m<E>[1m<E>[31mNC<E>[0m='<E>[0m'",
    "./c.sh:3:NC='<E>[0m'",
  ],
  [
    "rg, below the name of the file",
    "<E>[0m<E>[35m./c.sh<E>[0m\n<E>[0m<E>[32m1<E>[0m-#!/bin/sh\n<E>[0m<E>[32m2<E>[0m:<E>[0m<E>[1m<E>[31mRED<E>[0m='<E>[31m'",
    "./c.sh\n1-#!/bin/sh\n2:RED='<E>[31m'",
  ],
  [
    "git grep",
    "<E>[35mc.sh<E>[m<E>[36m:<E>[m<E>[32m2<E>[m<E>[36m:<E>[m<E>[1;31mRED<E>[m='<E>[31m'",
    "c.sh:2:RED='<E>[31m'",
  ],
  [
    "ag",
    "<E>[1;32mc.sh<E>[0m<E>[K:<E>[1;33m2<E>[0m<E>[K:<E>[30;43mRED<E>[0m<E>[K='<E>[31m'",
    "c.sh:2:RED='<E>[31m'",
  ],
])("the colours of %s are removed, and those of the file stay", (_, coloured, plain) => {
  expect(stripSearchColours(read(coloured))).toBe(read(plain));
});

test.each([
  "RED='<E>[31m'",
  "<E>[32mok<E>[0m: 2",
  "x <E>[0m<E>[32mok<E>[0m",
  "<E>[35ma<E>[m: 1",
  "<E>[1;31mRED<E>[m",
  "<E>[31m<E>[Ka",
])("codes that may be in a file stay: %s", (text) => {
  expect(stripSearchColours(read(text))).toBe(read(text));
});

test.each(["<E>", "<E>[", "<E>[1", "<E>[1m", "<E>[1m<E>[K", "<E>[1;31ma", "<E>[35ma<E>[m<E>[36m"])(
  "unterminated colours are stripped within 60 ms: %s",
  (unit) => {
    const text = read(`<E>[1m<E>[K${unit.repeat(200_000)}`);
    expect(fastestMs(() => stripSearchColours(text), 3, 60)).toBeLessThan(60);
  },
);
