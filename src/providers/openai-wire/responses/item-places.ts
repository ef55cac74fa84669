type Fields = Readonly<Record<string, unknown>>;

type Item = {
  readonly index: number;
  /** What the server calls it, and the number that it gives it. */
  readonly id: string;
  readonly wireIndex: unknown;
  isDone: boolean;
};

/**
 * The items of a response by the order in which they came: some servers number all of them alike, some name one in two
 * ways, and some never say that one has begun.
 */
export class ItemPlaces {
  readonly #items: Item[] = [];

  /** Null where it had begun before. */
  begin(event: Fields): number | null {
    const id = idIn(event);
    if (id !== "" && this.#items.some((item) => item.id === id && !item.isDone)) return null;
    return this.#add(event).index;
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
    const id = idIn(event);
    const named = id === "" ? undefined : this.#items.findLast((item) => item.id === id);
    return named ?? this.#items.findLast((item) => item.wireIndex === event["output_index"] && !item.isDone);
  }

  #add(event: Fields): Item {
    const item = {
      index: this.#items.length,
      id: idIn(event),
      wireIndex: event["output_index"],
      isDone: false,
    };
    this.#items.push(item);
    return item;
  }
}

function idIn({ item_id: id, item }: Fields): string {
  const named = typeof item === "object" && item !== null ? (item as Fields)["id"] : id;
  return typeof named === "string" ? named : "";
}
