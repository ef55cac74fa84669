import { test } from "bun:test";
import { imports } from "./imports.ts";
import { codeFiles, doorOf, isRoomDoor, isService, roomOf, serviceFiles, tree } from "./source-tree.ts";
import { tokensOf } from "./tokens.ts";
import { expectNone, type Violation } from "./violation.ts";

const SAID = [
  { what: "what it refuses to know", pattern: /\b(refuses?|decides nothing|owns no|imports nothing)\b/i },
  { what: "what always holds", pattern: /\b(invariants?|every(thing)?)\b/i },
];

/** A room of one file, which says all of this in its name. */
const VERSION = "gateway/src/version.ts";

const EXPORTED = /^export (?:async )?(?:function\*?|const|class|type|interface|let) (\w+)/gm;

/** Who imports each file, by its path. */
const takers = Map.groupBy(imports, ({ to }) => to);

test("the index.ts of every room opens with a comment on what it refuses to know and what always holds", () => {
  const doors = new Set(
    serviceFiles
      .filter(({ path }) => roomOf(path) !== "root" && path !== VERSION)
      .map(({ path }) => doorOf(roomOf(path))),
  );
  expectNone(
    [...doors].flatMap(faultsOf),
    "Open index.ts with a comment: what the folder owns, what it refuses to know, its invariants.",
  );
});

test("an index.ts exports nothing that nobody imports", () => {
  const unused = imports
    .filter(({ from }) => isDoor(from))
    .flatMap(({ from: path, to, names, line }) =>
      (names ?? exportedBy(to))
        .filter((name) => !isTaken(path, name))
        .map((name) => ({ path, line, what: `exports ${name}` })),
    );
  expectNone(unused, "Take it out of index.ts: whoever needs it one day will put it back.");
});

test("a file exports nothing that nobody imports", () => {
  const unused = codeFiles.flatMap(({ path }) =>
    exportedBy(path)
      .filter((name) => !isTaken(path, name) && !isBench(path, name))
      .map((name) => ({ path, what: `exports ${name}` })),
  );
  expectNone(unused, "Take the word `export` away: it says that others use it.");
});

test("an index.ts re-exports nothing of another room", () => {
  const handedOn = imports
    .filter(
      ({ from, to, isOurs }) => isOurs && isRoomDoor(from) && from !== VERSION && roomOf(from) !== roomOf(to),
    )
    .map(({ from: path, to, line }) => ({ path, line, what: `hands on names of ${roomOf(to)}` }));
  expectNone(handedOn, "It would be a way around the table of imports: let the room be imported.");
});

/** Benches are loaded by the name given on the command line, and each exports only `run`. */
function isBench(path: string, name: string): boolean {
  return name === "run" && /^bench\/[^/]+\.ts$/.test(path);
}

function isDoor(path: string): boolean {
  return isService(path) && path.endsWith("/index.ts");
}

function exportedBy(path: string): string[] {
  const text = tree.find((file) => file.path === path)?.text ?? "";
  return [...text.matchAll(EXPORTED)].map(([, name = ""]) => name);
}

/** A door that re-exports everything from a file uses a name only if somebody imports that name from the door. */
function isTaken(path: string, name: string): boolean {
  return (takers.get(path) ?? []).some(({ from, names }) => {
    if (names !== null) return names.includes(name);
    return !isDoor(from) || isTaken(from, name);
  });
}

function faultsOf(path: string): Violation[] {
  const door = tree.find((file) => file.path === path);
  if (door === undefined) return [{ path, what: "is missing" }];
  const [first] = tokensOf(door);
  if (first?.kind !== "comment") return [{ path, what: "does not open with a comment" }];
  return SAID.filter(({ pattern }) => !pattern.test(first.text)).map(({ what }) => ({
    path,
    what: `does not say ${what}`,
  }));
}
