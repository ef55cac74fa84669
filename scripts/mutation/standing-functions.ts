import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type SqlFunction = { readonly name: string; readonly sql: string; readonly start: number };

/** The functions that a migration creates, each with its whole text. */
export function sqlFunctions(text: string): SqlFunction[] {
  return [...text.matchAll(/^create (?:or replace )?function (\w+)\([\s\S]*?\$\$;$/gm)].map((match) => ({
    name: match[1] ?? "",
    sql: match[0],
    start: match.index,
  }));
}

type StandingFunction = SqlFunction & { readonly path: string };

/**
 * The functions that exist after all migrations, by name, each as the last migration defined it. The older text of a
 * function that was replaced or dropped later never runs.
 */
export function standingFunctions(root: string): ReadonlyMap<string, StandingFunction> {
  const standing = new Map<string, StandingFunction>();
  for (const file of readdirSync(join(root, "gateway", "migrations")).toSorted()) {
    const path = `gateway/migrations/${file}`;
    const text = readFileSync(join(root, path), "utf8");
    const dropped = [...text.matchAll(/^drop function (?:if exists )?(\w+)/gm)].map((match) => ({
      name: match[1] ?? "",
      start: match.index,
    }));
    for (const step of [...sqlFunctions(text), ...dropped].toSorted((a, b) => a.start - b.start)) {
      if ("sql" in step) standing.set(step.name, { ...step, path });
      else standing.delete(step.name);
    }
  }
  return standing;
}
