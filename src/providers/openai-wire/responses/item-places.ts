import { newId } from "../../../kit/index.ts";
import { type Fields, isFields, textOf } from "../wire-fields.ts";

export type PlacedItem = {
  readonly index: number;
  /** What it is called from its first event to the last response: as it began, unless that was no name of its own. */
  readonly id: string;
  /** What the server has called it as it began and as it ended. */
  readonly names: string[];
  /** Null where its beginning did not say. */
  readonly type: string | null;
  readonly callId: string;
  isDone: boolean;
};

/**
 * The items of a response by the order in which they came: some servers number all of them alike or not at all, some
 * name one anew in every event, or two of them alike, and some never say that one has begun.
 */
export class ItemPlaces {
  readonly items: PlacedItem[] = [];
  /** The last of each name and of each call, and those of each number that may still be open; of none: all. */
  readonly #named = new Map<string, PlacedItem>();
  readonly #calls = new Map<string, PlacedItem>();
  readonly #numbered = new Map<unknown, PlacedItem[]>();
  readonly #ids = new Set<string>();

  /** Null where it had begun before. */
  begin(event: Fields): PlacedItem | null {
    return this.#known(event)?.isDone === false ? null : this.#add(event);
  }

  /** Of an event that has not the item itself. Null for one that has not begun. */
  of({ item_id: id, output_index: index }: Fields): PlacedItem | null {
    return this.#named.get(textOf(id)) ?? this.#lastOpen(index) ?? null;
  }

  /** Null where it had ended before. */
  end(event: Fields): PlacedItem | null {
    const known = this.#known(event) ?? this.#openLike(event);
    if (known?.isDone) return null;
    const item = known ?? this.#add(event);
    item.isDone = true;
    const { id } = wordsIn(event);
    if (id !== "") {
      if (!item.names.includes(id)) item.names.push(id);
      this.#named.set(id, item);
    }
    return item;
  }

  /** Under a name that no other item has. */
  nameFor(item: Fields): string {
    const { id, type } = wordsIn({ item });
    const name = id === "" || this.#ids.has(id) ? ownName(type) : id;
    this.#ids.add(name);
    return name;
  }

  #known(event: Fields): PlacedItem | undefined {
    const words = wordsIn(event);
    const named = this.#named.get(words.id);
    if (named !== undefined && !isOther(named.type, words.type)) return named;
    const call = words.callId === "" ? undefined : this.#calls.get(callKey(words));
    return call?.isDone ? undefined : call;
  }

  /** What ends under a name that nobody knows is what is open under its number, if that can be. */
  #openLike(event: Fields): PlacedItem | undefined {
    const open = this.#lastOpen(event["output_index"]);
    const { type, callId } = wordsIn(event);
    return isOther(open?.type, type) || isOther(open?.callId, callId) ? undefined : open;
  }

  #lastOpen(wireIndex: unknown): PlacedItem | undefined {
    const items = this.#numbered.get(wireIndex);
    while (items?.at(-1)?.isDone) items.pop();
    return items?.at(-1);
  }

  #add(event: Fields): PlacedItem {
    const words = wordsIn(event);
    const { id: name, type, callId } = words;
    const id = this.nameFor({ id: name, type });
    const names = name === "" ? [] : [name];
    const item = { index: this.items.length, id, names, type, callId, isDone: false };
    this.items.push(item);
    if (name !== "") this.#named.set(name, item);
    if (callId !== "") this.#calls.set(callKey(words), item);
    const wireIndex = event["output_index"];
    this.#number(undefined, item);
    if (wireIndex !== undefined) this.#number(wireIndex, item);
    return item;
  }

  #number(wireIndex: unknown, item: PlacedItem): void {
    const alike = this.#numbered.get(wireIndex);
    if (alike === undefined) this.#numbered.set(wireIndex, [item]);
    else alike.push(item);
  }
}

/** How the names of items begin, where a server gives none and clients look for one. */
const BEGINNINGS: ReadonlyMap<unknown, string> = new Map([
  ["message", "msg"],
  ["reasoning", "rs"],
  ["function_call", "fc"],
  ["custom_tool_call", "ctc"],
]);

/** A name that is ours alone: no server knows it. */
const OWN_NAME = /^(?:msg|rs|fc|ctc|item)_0[0-9a-f]{31}$/;

export function isOwnName(id: unknown): boolean {
  return typeof id === "string" && OWN_NAME.test(id);
}

function ownName(type: unknown): string {
  return `${BEGINNINGS.get(type) ?? "item"}_${newId().replaceAll("-", "")}`;
}

type Words = Pick<PlacedItem, "id" | "type" | "callId">;

/** Of what is not said nobody can tell. */
function isOther(one: string | null | undefined, other: string | null): boolean {
  return Boolean(one && other && one !== other);
}

function callKey({ type, callId }: Words): string {
  return `${type} ${callId}`;
}

function wordsIn({ item_id: itemId, item }: Fields): Words {
  if (!isFields(item)) return { id: textOf(itemId), type: null, callId: "" };
  const { id, type, call_id: callId } = item;
  return { id: textOf(id), type: typeof type === "string" ? type : null, callId: textOf(callId) };
}
