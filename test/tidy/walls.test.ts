import { expect, test } from "bun:test";
import { HOUSE, LIBRARIES, SANDBOX_REST } from "./house.ts";
import { imports } from "./imports.ts";
import { doorOf, isService, isTestCode, roomOf } from "./source-tree.ts";
import { expectNone } from "./violation.ts";
import { bothWays, throughWalls } from "./walls.ts";

const service = imports.filter(({ from }) => isService(from) && !isTestCode(from));
const ours = service.filter(({ isOurs, to }) => isOurs && isService(to));

test("folders beside each other do not import each other both ways", () => {
  const product = imports.filter(
    ({ from, to, isOurs }) =>
      isOurs && (isService(from) || from.startsWith("console/")) && ![from, to].some(isTestCode),
  );
  expect(
    bothWays(product),
    "Move what both need into the folder around them, or one folder into the other.",
  ).toEqual([]);
});

test("two folders that import each other are found, whatever lies between them and the files", () => {
  const there = { from: "gateway/src/mail/post/send.ts", to: "gateway/src/billing/index.ts" };
  const back = { from: "gateway/src/billing/orders/order.ts", to: "gateway/src/mail/index.ts" };
  const inside = { from: "gateway/src/mail/mail.ts", to: "gateway/src/mail/post/send.ts" };
  const outside = { from: "gateway/src/mail/post/send.ts", to: "gateway/src/mail/mail.ts" };
  expect(bothWays([there, inside, outside])).toEqual([]);
  expect(bothWays([there, inside, back])).toHaveLength(1);
});

const COMPACTION = doorOf("compaction");
const SANDBOX = doorOf("sandbox");
const isOfSandbox = (path: string) => path.startsWith("sandbox/");

/** The gateway imports compaction by its door, and nothing of the sandbox: that is a vendor, reached by its URL. */
function isAllowed({ from, to }: { readonly from: string; readonly to: string }): boolean {
  if (!isOfSandbox(from)) return to === COMPACTION;
  return SANDBOX_REST.includes(to) || (HOUSE["sandbox"]?.uses ?? []).some((room) => to === doorOf(room));
}

test("our packages import nothing of each other but what is listed", () => {
  expectNone(
    throughWalls(ours, isAllowed).map(({ from, to, line }) => ({ path: from, line, what: `imports ${to}` })),
    "A package must be useful without the others: give it what it needs as a value, or a type of its own.",
  );
});

test("what is listed as left of the gateway in the sandbox is still there", () => {
  const used = new Set(ours.flatMap(({ from, to }) => (isOfSandbox(from) ? [to] : [])));
  const idle = SANDBOX_REST.filter((path) => !used.has(path));
  expect(idle, "Take it out of SANDBOX_REST.").toEqual([]);
});

test("an import through a wall is found, whichever way it goes", () => {
  const kit = "gateway/src/kit/index.ts";
  const through = [
    { from: "compaction/src/compact.ts", to: kit },
    { from: "gateway/src/generation/chat.ts", to: SANDBOX },
    { from: "gateway/src/generation/chat.ts", to: "compaction/src/compact.ts" },
    { from: "sandbox/src/turn.ts", to: "gateway/src/ledger/index.ts" },
    { from: "sandbox/src/turn.ts", to: COMPACTION },
  ];
  const fine = [
    { from: "gateway/src/generation/chat.ts", to: COMPACTION },
    { from: "gateway/src/generation/chat.ts", to: kit },
  ];
  expect(throughWalls([...through, ...fine], isAllowed)).toEqual(through);
});

test("rooms of pure code import no library but those named for them", () => {
  const taken = service.filter(({ isOurs, from }) => !isOurs && LIBRARIES[roomOf(from)] !== undefined);
  const wrong = taken.filter(({ from, to }) => !LIBRARIES[roomOf(from)]?.includes(to));
  expectNone(
    wrong.map(({ from, to, line }) => ({ path: from, line, what: `imports ${to}` })),
    "Let the room that needs the library have the code.",
  );
  const idle = Object.entries(LIBRARIES).flatMap(([room, names]) =>
    names.filter((name) => !taken.some(({ from, to }) => roomOf(from) === room && to === name)),
  );
  expect(idle, "Nobody imports it there: take it out of LIBRARIES.").toEqual([]);
});
