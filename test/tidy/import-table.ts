import type { RoomRule } from "./house.ts";

/** What the composition root may import, which no folder's name stands for. */
const ROOT_MAY = "everybody but the sandbox";

/** The rules of "Who may import whom" in ARCHITECTURE.md, by room, in the form of `house.ts`. */
export function importTableOf(architecture: string): Readonly<Record<string, RoomRule>> {
  const section = architecture.split("## Who may import whom")[1]?.split("\n## ")[0] ?? "";
  const [, ground = "", nouns = ""] =
    /The ground is ([\w, ]+); the nouns are ([\w, ]+)\./.exec(section) ?? [];
  const [, , ...rows] = section.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm);
  const rules = rows.map(([, who = "", may = ""]) => ({ who: namesIn(who), may }));
  const rooms = rules.filter(({ may }) => may !== ROOT_MAY).flatMap(({ who }) => who);

  function roomsMeant(words: string): readonly string[] {
    if (words === "nothing") return [];
    if (words === ROOT_MAY) return rooms.filter((room) => room !== "sandbox");
    if (words === "the ground") return namesIn(ground);
    if (!words.startsWith("all nouns")) return [words];
    const left = words.split(" but ")[1]?.split(" and ") ?? [];
    return namesIn(nouns).filter((noun) => !left.includes(noun));
  }
  function ruleOf(may: string): RoomRule {
    const [uses = "", types] = may.split("; types of ");
    return { uses: namesIn(uses).flatMap(roomsMeant), types: types === undefined ? [] : namesIn(types) };
  }

  return Object.fromEntries(
    rules.flatMap(({ who, may }) => (may === ROOT_MAY ? ["root"] : who).map((room) => [room, ruleOf(may)])),
  );
}

const namesIn = (list: string) => list.split(", ");
