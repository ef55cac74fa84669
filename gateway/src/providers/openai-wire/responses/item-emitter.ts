import type { ChatEvent, WireEvent } from "../../../contract/index.ts";
import { argumentsOf, type Fields, fieldsOf, textOf, withField } from "../../../wires/index.ts";
import { filledPart, withDefaults } from "./filled-item.ts";
import type { PlacedItem } from "./item-places.ts";
import { emptyPart, PART_LISTS, type PartEvent, type PartList, partIn, pieceOf } from "./part-events.ts";
import { PartPlaces, textFieldOf } from "./part-places.ts";
import { writtenMembers } from "./response-members.ts";
import { isBlank } from "./whole-call.ts";

const ARGUMENTS_DELTA = "response.function_call_arguments.delta";
const ARGUMENTS_DONE = "response.function_call_arguments.done";
const INPUT_DONE = "response.custom_tool_call_input.done";
const DONE = ".done";
const DELTA = ".delta";
/** The event that ends a tool's arguments, by the type of the item. */
const CALL_DONE: ReadonlyMap<unknown, string> = new Map([
  ["function_call", ARGUMENTS_DONE],
  ["custom_tool_call", INPUT_DONE],
]);
export const CALL_EVENTS: ReadonlySet<string> = new Set([
  ARGUMENTS_DELTA,
  ARGUMENTS_DONE,
  "response.custom_tool_call_input.delta",
  INPUT_DONE,
]);

/** The events of one item between its beginning and its end, including those that a server left out. */
export class ItemEmitter {
  /** Characters of it that were sent in pieces. */
  written = 0;
  readonly #placed: PlacedItem;
  /** As it began. */
  readonly #item: Fields;
  readonly #parts: Partial<Record<PartList["list"], PartPlaces>> = {};
  /** Pieces of a call's arguments. */
  #pieces: string[] = [];
  /** The end of empty arguments, held back: only the item's end shows whether they really are empty. */
  #blank: Fields | null = null;

  constructor(placed: PlacedItem, item: unknown) {
    this.#placed = placed;
    this.#item = fieldsOf(item);
  }

  /** The event about a part that has begun, with the index that it began under. Null if nobody needs it. */
  part(about: PartEvent, event: Fields, out: ChatEvent[]): Fields | null {
    const { added, index, list, step, always = {} } = about;
    this.#parts[list] ??= new PartPlaces(this.#item[list]);
    const parts = this.#parts[list];
    const wireIndex = event[index];
    const isWithin = step === "within";
    const part = isWithin ? partIn(about, event) : filledPart(partIn(about, event));
    const emitted = isWithin ? withDefaults(event, always) : withField(event, "part", part);
    if (step === "added") {
      const at = parts.begin(wireIndex, part);
      return at === null ? null : withField(emitted, index, at);
    }
    const partType = String(part["type"]);
    let at = parts.of(wireIndex, partType);
    if (at === null) {
      const empty = emptyPart(partType);
      at = parts.beginUnannounced(wireIndex, empty);
      out.push(eventOf(added, { ...this.#place(), [index]: at, part: empty }));
    }
    const { delta } = event;
    if (step === "done") {
      this.#emitRest(about, at, part, out);
      parts.end(at, part);
    } else if (typeof delta === "string") parts.write(at, partType, delta);
    else {
      const said = event["text"] ?? event["refusal"];
      if (typeof said === "string" && said !== "") {
        this.#emitRest(about, at, { type: partType, text: said, refusal: said }, out);
        parts.rewrite(at, said);
      }
    }
    return withField(emitted, index, at);
  }

  /** The event about a tool's arguments. Null if it is held back. */
  call(type: string, given: Fields, out: ChatEvent[]): Fields | null {
    const { delta } = given;
    if (typeof delta === "string") this.#pieces.push(delta);
    if (!type.endsWith(DONE)) return given;
    const isFunction = type === ARGUMENTS_DONE;
    const field = isFunction ? "arguments" : "input";
    const whole = argumentsOf(given[field]);
    const { name } = this.#item;
    const named = isFunction && typeof name === "string" ? withDefaults(given, { name }) : given;
    const event = withField(named, field, whole);
    if (isBlank(whole)) {
      if (!isFunction) return event;
      this.#blank = event;
      return null;
    }
    // Some servers send them only here; arguments that the item began with were already sent.
    const isUnsent = this.#pieces.length === 0 && isBlank(this.#item[field]);
    if (isUnsent) this.#emit(deltaOf(type), { delta: whole }, out);
    this.#pieces = [whole];
    return event;
  }

  /** Emits what a part has at its end beyond its pieces. */
  #emitRest({ list, index }: PartList, at: number, part: unknown, out: ChatEvent[]): void {
    const whole = fieldsOf(part);
    const delta = this.#parts[list]?.takeUnsent(at, whole) ?? "";
    const piece = pieceOf(whole["type"]);
    if (delta === "" || piece === undefined) return;
    this.#emit(piece.type, { [index]: at, delta, ...piece.always }, out);
  }

  /** Emits text that a server has not sent in pieces: some clients read nothing else. */
  #emit(event: string, fields: Fields & { readonly delta: string }, out: ChatEvent[]): void {
    this.written += fields.delta.length;
    out.push({ ...eventOf(event, { ...this.#place(), ...fields }), written: fields.delta });
  }

  /**
   * Ends whatever of the item has begun and not ended; `item` is its final form. Content that a server sends only here
   * is emitted as others send it, unless `isSentElsewhere`: then it may already have been sent as that of an
   * unannounced item.
   */
  end(item: unknown, isSentElsewhere: boolean, out: ChatEvent[]): void {
    const whole = fieldsOf(item);
    if (this.#blank !== null) {
      const { arguments: said } = whole;
      const isUnsaid = isBlank(this.#pieces.join("")) && !isBlank(said);
      if (isUnsaid) out.push(eventOf(ARGUMENTS_DELTA, { ...this.#place(), delta: said }));
      out.push(eventOf(ARGUMENTS_DONE, { ...this.#blank, arguments: said ?? "" }));
    } else if (!isSentElsewhere) this.#emitUnsentCall(whole, out);
    for (const each of PART_LISTS) {
      const { list, index, done } = each;
      const parts: readonly unknown[] = Array.isArray(whole[list]) ? whole[list] : [];
      if (parts.length === 0) continue;
      this.#parts[list] ??= new PartPlaces(this.#item[list]);
      const places = this.#parts[list];
      const wholes = parts.map(fieldsOf);
      const sentTypes = places.typesSent(wholes);
      for (const at of places.open) {
        const part = parts[at];
        if (part === undefined) continue;
        if (!sentTypes.has(fieldsOf(part)["type"])) this.#emitRest(each, at, part, out);
        out.push(eventOf(done, { ...this.#place(), [index]: at, part }));
      }
      if (isSentElsewhere) continue;
      for (const [at, part] of places.unbegun(wholes)) this.#emitUnsentPart(each, at, part, out);
    }
  }

  #emitUnsentPart({ index, added, done }: PartList, at: number, part: Fields, out: ChatEvent[]): void {
    const { type } = part;
    const piece = pieceOf(type);
    if (piece === undefined) return;
    const place = { ...this.#place(), [index]: at };
    const field = textFieldOf(part);
    const text = textOf(part[field]);
    out.push(eventOf(added, { ...place, part: emptyPart(String(type)) }));
    if (text !== "") this.#emit(piece.type, { [index]: at, delta: text, ...piece.always }, out);
    out.push(eventOf(doneOf(piece.type), { ...place, [field]: text, ...piece.always }));
    out.push(eventOf(done, { ...place, part }));
  }

  /** Emits a tool's arguments if no event has sent any of them. */
  #emitUnsentCall(whole: Fields, out: ChatEvent[]): void {
    const type = CALL_DONE.get(whole["type"]);
    if (type === undefined || this.#pieces.length > 0) return;
    const field = type === ARGUMENTS_DONE ? "arguments" : "input";
    const said = whole[field];
    // A call that was cut off before its arguments has none.
    if (isBlank(said) || !isBlank(this.#item[field])) return;
    const event = this.call(type, { ...this.#place(), [field]: said }, out);
    if (event !== null) out.push(eventOf(type, event));
  }

  /** The item with everything that was sent of it, for a server that sends no final form. */
  whole(status: "completed" | "incomplete"): Fields {
    const { type } = this.#item;
    const whole: Record<string, unknown> = { ...this.#item, id: this.#placed.id };
    if ("status" in whole) whole["status"] = status;
    for (const { list } of PART_LISTS) {
      const parts = this.#parts[list];
      if (parts !== undefined) whole[list] = parts.whole();
    }
    // As it began, if nothing more was sent.
    const field = type === "function_call" ? "arguments" : type === "custom_tool_call" ? "input" : null;
    if (field !== null) whole[field] = this.#pieces.length > 0 ? this.#pieces.join("") : (whole[field] ?? "");
    return whole;
  }

  #place(): Fields {
    return { item_id: this.#placed.id, output_index: this.#placed.index };
  }
}

/** The delta event that goes with a done event. */
function deltaOf(type: string): string {
  return `${type.slice(0, -DONE.length)}${DELTA}`;
}

/** The done event that goes with a delta event. */
function doneOf(type: string): string {
  return `${type.slice(0, -DELTA.length)}${DONE}`;
}

export function eventOf(event: string, fields: Fields): WireEvent {
  return { type: "wire", event, members: writtenMembers(fields), written: "" };
}
