import { isObject } from "../../../kit/index.ts";
import { type Fields, fieldsOf } from "../../../wires/index.ts";
import type { WireDelta } from "../wire-chunk.ts";
import { fragmentsIn } from "./call-fragments.ts";

/**
 * The one requested answer of a reply that has several choices. Some servers put text and the calls that follow it into
 * separate choices, which are merged; any other choice is an answer that nobody requested.
 */
export function foldedChoice(choices: readonly unknown[]): unknown {
  const own = choices.find((choice) => isObject(choice) && (choice["index"] ?? 0) === 0);
  if (!isObject(own)) return own;
  const message = choices
    .filter((choice) => choice !== own)
    .reduce<Fields>((whole, choice) => folded(whole, messageOf(choice)), messageOf(own));
  return { ...own, message };
}

function folded(whole: Fields, extra: Fields): Fields {
  const [mine, other] = [wordsOf(whole), wordsOf(extra)];
  if (!(isNothing(mine) || isNothing(other) || mine === other)) return whole;
  const bringsWords = isNothing(mine) && !isNothing(other);
  const bringsCalls = fragmentsIn(whole).length === 0 && fragmentsIn(extra).length > 0;
  if (!bringsWords && !bringsCalls) return whole;
  const said = Object.entries(whole).filter(([, value]) => !isNothing(value));
  return { ...whole, ...extra, ...Object.fromEntries(said) };
}

function messageOf(choice: unknown): WireDelta & Fields {
  const { message, delta } = fieldsOf(choice);
  return fieldsOf(message ?? delta);
}

function wordsOf({ content, refusal }: WireDelta): unknown {
  return isNothing(content) ? refusal : content;
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
