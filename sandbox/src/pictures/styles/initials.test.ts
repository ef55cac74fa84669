import { expect, test } from "bun:test";
import { initialsOf } from "./initials.ts";

test.each([
  ["Bright Harbor", "BH"],
  ["B & C", "BC"],
  ["+ Plus - Minus", "PM"],
  ['"Acme" (Tools) Inc', "AT"],
  ["3 Rivers", "3R"],
  ["Élan", "É"],
  ["𝔸 b", "𝔸b"],
  ["& !", ""],
  ["", ""],
])("the initials of %j are only letters and digits: %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
