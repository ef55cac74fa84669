type Fields = Readonly<Record<string, unknown>>;

type Item = {
  readonly index: number;
  /** What the server calls it. */
  readonly id: string;
  isDone: boolean;
};

/**
 * The items of a response by the order in which they came: some servers number all of them alike, some name one in two
 * ways, and some never say that one has begun.
 */
export class ItemPlaces {
  /** The last of each name, and those of each number that may still be open. */
  readonly #named = new Map<string, Item>();
  readonly #numbered = new Map<unknown, Item[]>();
  #count = 0;

  /** Null where it had begun before. */
  begin(event: Fields): number | null {
    return this.#named.get(idIn(event))?.isDone === false ? null : this.#add(event).index;
  }

  /** Null for an item that has not begun. */
  of(event: Fields): number | null {
    return this.#find(event)?.index ?? null;
  }

  /** Null where it had ended before. */
  end(event: Fields): number | null {
    const id = idIn(event);
    const item = this.#find(event);
    if (item?.isDone && item.id === id) return null;
    const ended = item === undefined || item.isDone ? this.#add(event) : item;
    ended.isDone = true;
    return ended.index;
  }

  #find(event: Fields): Item | undefined {
    return this.#named.get(idIn(event)) ?? this.#lastOpen(event["output_index"]);
  }

  #lastOpen(wireIndex: unknown): Item | undefined {
    const items = this.#numbered.get(wireIndex);
    while (items?.at(-1)?.isDone) items.pop();
    return items?.at(-1);
  }

  #add(event: Fields): Item {
    const item = { index: this.#count++, id: idIn(event), isDone: false };
    if (item.id !== "") this.#named.set(item.id, item);
    const wireIndex = event["output_index"];
    const alike = this.#numbered.get(wireIndex);
    if (alike === undefined) this.#numbered.set(wireIndex, [item]);
    else alike.push(item);
    return item;
  }
}

function idIn({ item_id: id, item }: Fields): string {
  const named = typeof item === "object" && item !== null ? (item as Fields)["id"] : id;
  return typeof named === "string" ? named : "";
}
