import type { WireEvent } from "../../../providers/index.ts";
import { isObject, type JsonObject } from "../json-fields.ts";
import { cutItems } from "./cut-items.ts";
import type { EventWriter } from "./event-writer.ts";

/** Hands on the events of an upstream that speaks this wire, under our own numbers. */
export type WireWriter = {
  add(event: WireEvent): void;
  /** Ends what an upstream that was stopped half-way has left open. */
  cut(): void;
  /** The items that were ended so far. */
  output(): readonly JsonObject[];
};

/** Said by us before the first of these comes, with our own name and settings. */
const SAID_BEFORE: ReadonlySet<string> = new Set([
  "response.created",
  "response.in_progress",
  "response.queued",
]);
const ITEM_DONE = "response.output_item.done";

export function createWireWriter(writer: EventWriter): WireWriter {
  /** Read only where somebody asks, which is hardly ever. */
  const done: string[] = [];
  /** Since the last item ended: what a cut would leave open. Bounded by the answer, of which the caller has all. */
  let open: WireEvent[] = [];

  return {
    add(event) {
      const type = event.event ?? "";
      if (type === "" || SAID_BEFORE.has(type)) return;
      if (type === ITEM_DONE) {
        done.push(event.members);
        open = [];
      } else {
        open.push(event);
      }
      writer.write(type, event.members);
    },
    cut() {
      for (const { index, item } of cutItems(open)) {
        const members = `"output_index":${index},"item":${JSON.stringify(item)}`;
        done.push(members);
        writer.write(ITEM_DONE, members);
      }
      open = [];
    },
    output: () => done.flatMap(itemIn),
  };
}

function itemIn(members: string): readonly JsonObject[] {
  const { item } = JSON.parse(`{${members}}`) as { item?: unknown };
  return isObject(item) ? [item] : [];
}
