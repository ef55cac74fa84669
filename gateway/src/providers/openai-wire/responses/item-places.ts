import { newId } from "../../../kit/index.ts";
import { type Fields, isFields, textOf } from "../../../wires/index.ts";

export type PlacedItem = {
  readonly index: number;
  /** Its id from the first event to the final response: the one it began with, unless that was missing or taken. */
  readonly id: string;
  /** The ids that the server used when it began and when it ended. */
  readonly names: string[];
  /** Null if its beginning did not say. */
  readonly type: string | null;
  readonly callId: string;
  isDone: boolean;
};

/**
 * The items of a response in the order in which they came: some servers give all of them the same index or none, some
 * change an item's id with every event or give two items the same id, and some never announce an item.
 */
export class ItemPlaces {
  readonly items: PlacedItem[] = [];
  /** The last item of each id and of each call; the items of each index that may still be open (undefined: all). */
  readonly #named = new Map<string, PlacedItem>();
  readonly #calls = new Map<string, PlacedItem>();
  readonly #numbered = new Map<unknown, PlacedItem[]>();
  readonly #ids = new Set<string>();

  /** Null if it had already begun. */
  begin(event: Fields): PlacedItem | null {
    return this.#known(event)?.isDone === false ? null : this.#add(event);
  }

  /** For an event that does not contain the item itself. Null if the item has not begun. */
  of({ item_id: id, output_index: index }: Fields): PlacedItem | null {
    return this.#named.get(textOf(id)) ?? this.#lastOpen(index) ?? null;
  }

  /** Null if it had already ended. */
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

  /** The item's id, or a new one if it has none or another item has it. */
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

  /** An item that ends under an unknown id is the open one at its index, if type and call id permit. */
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
    this.#numbered.getOrInsert(wireIndex, []).push(item);
  }
}

/** Prefixes of generated ids, for servers that send none: clients expect one. */
const BEGINNINGS: ReadonlyMap<unknown, string> = new Map([
  ["message", "msg"],
  ["reasoning", "rs"],
  ["function_call", "fc"],
  ["custom_tool_call", "ctc"],
]);

/** Ids that we generated: no server knows them. */
const OWN_NAME = /^(?:msg|rs|fc|ctc|item)_0[0-9a-f]{31}$/;

export function isOwnName(id: unknown): boolean {
  return typeof id === "string" && OWN_NAME.test(id);
}

function ownName(type: unknown): string {
  return `${BEGINNINGS.get(type) ?? "item"}_${newId().replaceAll("-", "")}`;
}

type Words = Pick<PlacedItem, "id" | "type" | "callId">;

/** A missing value may be anything. */
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
