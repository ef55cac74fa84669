import type { ChatEvent, FinishReason } from "../../../../contract/index.ts";
import type { ChatOutcome, Paid } from "../../../../generation/index.ts";
import { type AppError, isObject, unreachable } from "../../../../kit/index.ts";
import { encodeStopped } from "../../../fields/paid-fields.ts";
import { errorObject } from "../../errors.ts";
import type { JsonObject } from "../../json-fields.ts";
import type { PartEncoder } from "../../open-stream.ts";
import { type ItemMaker, listText } from "../output-item.ts";
import type { ResponseObject } from "../response-object.ts";
import { createAnswerWriter } from "./answer-writer.ts";
import { createEventWriter } from "./event-writer.ts";
import { createWireWriter } from "./wire-writer.ts";

/**
 * A streamed response: created, in_progress, the events of its items, and one last event after the settlement. A
 * failure is reported twice, since some clients see only the `error` and some only the failed response.
 */
export function createResponseEncoder(object: ResponseObject, maker: ItemMaker): PartEncoder {
  const writer = createEventWriter();
  const answer = createAnswerWriter(writer, maker);
  const wire = createWireWriter(writer);
  let isOpen = false;
  let isWire = false;
  let isClosed = false;

  function open(): void {
    isOpen = true;
    const response = `"response":${object.inProgress()}`;
    writer.write("response.created", response);
    writer.write("response.in_progress", response);
  }

  function add(events: readonly ChatEvent[]): void {
    const last = events.at(-1);
    const finish = last?.type === "finish" ? last : null;
    // All events of an answer are in this wire's format, or none of them.
    if (events[0]?.type === "wire" || finish?.whole !== undefined) isWire = true;
    if (isWire) {
      for (const event of events) if (event.type === "wire") wire.add(event);
      if (finish?.whole !== undefined) wire.complete(itemsOf(finish.whole));
    } else {
      answer.add(events);
      if (finish !== null) close(finish.reason);
    }
  }

  function close(reason: FinishReason): void {
    if (isClosed) return;
    isClosed = true;
    answer.close(reason);
  }

  function end(paid: Paid<ChatOutcome>): void {
    const output = closeOutput(paid.outcome);
    const { status, text } = object.ended(output, paid);
    writer.write(`response.${status}`, `"response":${text}`);
  }

  /** The output must have exactly the items that were sent as events. */
  function closeOutput({ wire: whole, finishReason }: ChatOutcome): string {
    if (whole === null) {
      if (isWire) wire.cut();
      else close(finishReason);
      return outputSoFar();
    }
    const items = itemsOf(whole);
    // For a repeat, no events were sent yet.
    wire.complete(items);
    return items.length > 0 ? JSON.stringify(items) : outputSoFar();
  }

  function outputSoFar(): string {
    return isWire ? JSON.stringify(wire.output()) : listText(answer.output);
  }

  function fail(error: AppError, charge: object): void {
    const said = errorObject(error);
    const { message, code, param } = said;
    writer.write("error", `${JSON.stringify({ code, message, param, error: said }).slice(1, -1)}`);
    writer.write("response.failed", `"response":${object.failed(outputSoFar(), error, charge)}`);
  }

  return {
    encode(part) {
      if (!isOpen) open();
      switch (part.type) {
        case "events":
          add(part.events);
          break;
        case "done":
          end(part.paid);
          break;
        case "error":
          fail(part.error, encodeStopped(part.charge));
          break;
        default:
          return unreachable(part);
      }
      return writer.take();
    },
  };
}

function itemsOf({ output }: JsonObject): readonly JsonObject[] {
  return Array.isArray(output) ? output.filter(isObject) : [];
}
