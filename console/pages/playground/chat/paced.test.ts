import { expect, test } from "bun:test";
import { paced } from "./paced.ts";

test("the first piece is shown at once, those that follow together, and the rest at the end", async () => {
  const shown: string[] = [];
  let wake = () => {};
  const answer = paced((text) => {
    shown.push(text);
    wake();
  });
  const nextShown = () => new Promise<void>((resolve) => (wake = resolve));
  for (const piece of ["a", "b", "c"]) answer.add(piece);
  expect(shown).toEqual(["a"]);
  await nextShown();
  expect(shown).toEqual(["a", "bc"]);
  answer.add("d");
  answer.show();
  answer.show();
  expect(shown).toEqual(["a", "bc", "d"]);
});
