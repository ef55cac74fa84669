import type { RoomRule } from "./house.ts";

/** The rules of "Who may import whom" in ARCHITECTURE.md, by room, in the form of `house.ts`. */
export function importTableOf(architecture: string): Readonly<Record<string, RoomRule>> {
  const section = architecture.split("## Who may import whom")[1]?.split("\n## ")[0] ?? "";
  const [, ground = "", nouns = ""] =
    /The ground is ([\w, ]+); the nouns are ([\w, ]+)\./.exec(section) ?? [];
  const [, , ...rows] = section.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm);
  const rules = rows.map(([, who = "", may = ""]) => ({ who: namesIn(who), may }));
  const rooms = rules.filter(({ may }) => may !== "everybody").flatMap(({ who }) => who);

  function roomsMeant(words: string): readonly string[] {
    if (words === "nothing") return [];
    if (words === "everybody") return rooms;
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
    // The row that may import everybody is the composition root.
    rules.flatMap(({ who, may }) =>
      (may === "everybody" ? ["root"] : who).map((room) => [room, ruleOf(may)]),
    ),
  );
}

const namesIn = (list: string) => list.split(", ");
