import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { nameObjectsPlace, nameOfObjectsPlace, PLACE_FILE } from "./objects-place.ts";

const parent = mkdtempSync(join(tmpdir(), "bursar-place-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const ID = "0123456789abcdef".repeat(2);

/** For a folder whose file contains this text, or that has none: its name after a start, and the file's text then. */
function named(text: string | null) {
  const folder = mkdtempSync(join(parent, "objects-"));
  const file = join(folder, PLACE_FILE);
  if (text !== null) writeFileSync(file, text);
  nameObjectsPlace({ kind: "files", folder });
  expect(readdirSync(folder)).toEqual([PLACE_FILE]);
  const place = nameOfObjectsPlace({ kind: "files", folder });
  return { folder, place, says: readFileSync(file, "utf8") };
}

test("a folder has the name written in its file, with or without a newline", () => {
  for (const text of [ID, `${ID}\n`]) {
    expect(named(text)).toMatchObject({ place: `the folder whose ${PLACE_FILE} says ${ID}`, says: text });
  }
});

test("a folder without a name gets one, also after a start that was killed before writing it", () => {
  for (const text of [null, "", "\n"]) {
    const { place, says } = named(text);
    expect(says).toMatch(/^[0-9a-f]{32}$/);
    expect(place).toBe(`the folder whose ${PLACE_FILE} says ${says}`);
  }
});

test("a file with other content is left as it is, and the folder counts as this machine's own", () => {
  const { folder, place, says } = named("something else");
  expect([place, says]).toEqual([`files in ${folder} on ${hostname()}`, "something else"]);
});
