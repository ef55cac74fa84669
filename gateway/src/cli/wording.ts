import { commandName } from "../config/index.ts";

/** Numbers and times formatted for people. JSON output has them plain. */
export function creditsText(amount: number): string {
  return `${amount.toLocaleString("en-US")} ${Math.abs(amount) === 1 ? "credit" : "credits"}`;
}

/** A command in advice, as the reader would type it. */
export function commandText(words: string): string {
  return `\`${commandName()} ${words}\``;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** More would fill the terminal; the fix is the same for all of them. */
export function firstOf(names: readonly string[], most: number): string {
  return names.slice(0, most).join(", ") + (names.length > most ? ", …" : "");
}

/** UTC to the minute, which is what operators compare. */
export function momentText(moment: Date | string): string {
  return `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function sizeText(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GB` : `${Math.floor(bytes / 1024 ** 2)} MB`;
}
