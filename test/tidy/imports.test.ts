import { describe, expect, test } from "bun:test";
import { HOUSE, type RoomRule, SANDBOX_REST } from "./house.ts";
import { importTableOf } from "./import-table.ts";
import { type Import, imports } from "./imports.ts";
import { neededBy, PACKAGES } from "./packages.ts";
import { isRoomDoor, isService, isTestCode, readProjectFile, roomOf, serviceFiles } from "./source-tree.ts";
import { expectNone } from "./violation.ts";

const service = imports.filter(({ from }) => isService(from) && !isTestCode(from));
const ours = service.filter(({ isOurs, to }) => isOurs && isService(to));
const betweenRooms = ours.filter(({ from, to }) => roomOf(from) !== roomOf(to));
const found = (edges: readonly Import[]) =>
  edges.map(({ from, to, line }) => ({ path: from, line, what: `imports ${to}` }));

describe("between the rooms", () => {
  test("every room has a rule", () => {
    const rooms = new Set(serviceFiles.map(({ path }) => roomOf(path)));
    const unruled = [...rooms].filter((room) => HOUSE[room] === undefined);
    expectNone(
      unruled.map((room) => ({ path: `gateway/src/${room}`, what: "has no rule" })),
      "Say in test/tidy/house.ts what this folder may import.",
    );
  });

  test("ARCHITECTURE lists the rules as enforced", () => {
    const sorted = (house: Readonly<Record<string, RoomRule>>) =>
      Object.entries(house)
        .map(([room, { uses, types = [] }]) => ({ room, uses: uses.toSorted(), types: types.toSorted() }))
        .toSorted((left, right) => left.room.localeCompare(right.room));
    expect(
      sorted(importTableOf(readProjectFile("ARCHITECTURE.md"))),
      'Correct "Who may import whom" in ARCHITECTURE.md: it says what test/tidy/house.ts enforces.',
    ).toEqual(sorted(HOUSE));
  });

  test("rooms import only what house.ts allows", () => {
    const wrong = betweenRooms.filter(({ from, to, isTypeOnly }) => {
      const rule = HOUSE[roomOf(from)];
      const allowed = isTypeOnly ? [...(rule?.uses ?? []), ...(rule?.types ?? [])] : (rule?.uses ?? []);
      return !allowed.includes(roomOf(to));
    });
    expectNone(
      found(wrong),
      "A room imports only what test/tidy/house.ts lists: take the value as a parameter, or move the idea down to the room that owns it.",
    );
  });

  test("house.ts allows no import that a room does not use", () => {
    const used = new Set(betweenRooms.map(({ from, to }) => `${roomOf(from)} ${roomOf(to)}`));
    const ruled = Object.entries(HOUSE).filter(([room]) => room !== "root");
    const idle = ruled.flatMap(([room, { uses, types = [] }]) =>
      [...uses, ...types]
        // The kit has no business rules, so every room may import it at any time.
        .filter((other) => other !== "kit" && !used.has(`${room} ${other}`))
        .map((other) => ({ path: `gateway/src/${room}`, what: `imports nothing of ${other}` })),
    );
    expectNone(idle, "Take it out of test/tidy/house.ts and of ARCHITECTURE.md.");
  });

  test("rooms are imported only through their index.ts", () => {
    const past = betweenRooms.filter(({ to }) => !isRoomDoor(to) && !SANDBOX_REST.includes(to));
    expectNone(found(past), "Export the name in that folder's index.ts and import it from there.");
  });

  test("the wires do not import each other", () => {
    const wireOf = (path: string) => /^gateway\/src\/http\/(native|openai|console)\//.exec(path)?.[1];
    const crossed = ours.filter(({ from, to }) => {
      const [left, right] = [wireOf(from), wireOf(to)];
      return left !== undefined && right !== undefined && left !== right;
    });
    expectNone(found(crossed), "Move what two wires share into gateway/src/http itself.");
  });

  test("the service imports no test code", () => {
    expectNone(
      found(ours.filter(({ to }) => isTestCode(to))),
      "Move what the service needs out of the test file.",
    );
  });
});

describe("libraries", () => {
  const packageOf = (name: string) =>
    name
      .split("/")
      .slice(0, name.startsWith("@") ? 2 : 1)
      .join("/");
  const libraries = service.filter(({ isOurs, to }) => !isOurs && !/^(node:|bun$|bun:)/.test(to));

  test("only gateway/src/http imports Hono", () => {
    const isHono = (name: string) => name === "hono" || name.startsWith("@hono/");
    expectNone(
      found(libraries.filter(({ from, to }) => isHono(packageOf(to)) && roomOf(from) !== "http")),
      "Only gateway/src/http translates wires: hand over plain values instead of Hono's context.",
    );
  });

  test("every package that the service imports is a runtime dependency", () => {
    const shipped = new Map(PACKAGES.map((folder) => [folder as string, neededBy(folder)]));
    expectNone(
      found(
        libraries.filter(
          ({ from, to }) => shipped.get(from.split("/", 1)[0] ?? "")?.[packageOf(to)] === undefined,
        ),
      ),
      "Add it to the package.json of the folder that imports it, and say why in docs/decisions/dependencies.md.",
    );
  });
});

test("acceptance tests import nothing of the service", () => {
  expectNone(
    found(imports.filter(({ from, to }) => from.startsWith("test/acceptance/") && isService(to))),
    "Ask over HTTP or through bin/bursar instead.",
  );
});

test("there are no import cycles", () => {
  const next = new Map<string, string[]>();
  for (const { from, to, isOurs } of imports) if (isOurs) next.set(from, [...(next.get(from) ?? []), to]);
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (trail.includes(path) || finished.has(path)) return;
    for (const to of next.get(path) ?? []) visit(to, [...trail, path]);
    finished.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  expect(cycles, "Cut the cycle: put what both sides need into a file of its own.").toEqual([]);
});
