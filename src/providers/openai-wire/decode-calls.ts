import { isJson, ObjectText } from "../../kit/index.ts";
import { type ChatEvent, ProviderFailure } from "../contract.ts";
import { ownCallId } from "../own-call-id.ts";
import { PROBE } from "./plain-chunk.ts";
import { encodeSeal } from "./seal.ts";
import { type Fields, fieldsOf, textOf } from "./wire-fields.ts";

/** A tool call on its way in. */
export type OpenCall = {
  /** Calls of an answer are counted from 0, whatever the server counts. */
  readonly number: number;
  /** What the server numbers it; no number until a fragment brings one. */
  wireIndex: unknown;
  /** Takes a text of any form, where a function takes a JSON text. */
  readonly isCustom: boolean;
  /** What the server calls it; empty until a fragment says it. */
  wireId: string;
  /** Of this call alone: made up where the server gives none, or that of another call. */
  id: string;
  name: string;
  /** Its provider's, sealed. */
  signature: string | undefined;
  /** Arguments that came before the name, which must be told first. */
  waiting: string;
  /** Its arguments so far. */
  text: string;
  /** Of that text. */
  readonly object: ObjectText;
};

/** A piece of a call as its server sent it; what it does not say is empty. */
type Fragment = {
  readonly wireIndex: unknown;
  readonly wireId: string;
  readonly name: string;
  readonly text: string;
};

/** Who is told of the calls: one tells them on as neutral events, others in the words of the wire. */
export type CallSink = {
  opened(call: OpenCall, out: ChatEvent[]): void;
  wrote(call: OpenCall, text: string, out: ChatEvent[]): void;
  closed(call: OpenCall, out: ChatEvent[]): void;
};

/** Far beyond what any model asks for at once. */
const MAX_CALLS = 512;

/** Tool calls of one answer, put together from fragments whose numbering cannot be trusted. */
export type CallDecoder = {
  readonly count: number;
  /** `isWhole`: not a piece of a call, but all of it, as every entry of a whole reply is. */
  push(fragment: unknown, out: ChatEvent[], isWhole: boolean): void;
  /** More arguments of the call that the last fragment belonged to, which were read and told the short way. */
  told(text: string): void;
  /** The answer has ended: a call without arguments still needs a JSON text. */
  end(out: ChatEvent[]): void;
};

export function createCallDecoder(sink: CallSink, namespace: string): CallDecoder {
  const calls: OpenCall[] = [];
  let last: OpenCall | undefined;

  function open(wireId: string, wireIndex: unknown, isCustom: boolean): OpenCall {
    if (calls.length >= MAX_CALLS) throw unreadable("too many tool calls");
    const call: OpenCall = {
      number: calls.length,
      wireIndex,
      isCustom,
      wireId,
      id: "",
      name: "",
      signature: undefined,
      waiting: "",
      text: "",
      object: new ObjectText(),
    };
    calls.push(call);
    return call;
  }

  /**
   * Which call a fragment belongs to. Usually its index says it; some servers send none, and some number
   * every call 0, so a fragment may begin a call of its own all the same.
   */
  function knownCall({ wireIndex, wireId, name, text }: Fragment): OpenCall | undefined {
    const known =
      typeof wireIndex === "number"
        ? (calls.findLast((call) => call.wireIndex === wireIndex) ?? lateNumbered(wireIndex, wireId, name))
        : wireId !== ""
          ? calls.findLast((call) => call.wireId === wireId)
          : name === ""
            ? calls.at(-1)
            : undefined;
    if (known === undefined || name === "") return known;
    const isOther =
      (wireId !== "" && known.wireId !== "" && known.wireId !== wireId) ||
      (known.name !== "" && known.name !== name) ||
      (beginsAnother(known, text) && !isRepeated(known, wireId, text));
    return isOther ? undefined : known;
  }

  /** A call that began without a number gets this one: by its id, by its place, or because it is the next in turn. */
  function lateNumbered(wireIndex: number, wireId: string, name: string): OpenCall | undefined {
    const waiting = calls.filter((call) => typeof call.wireIndex !== "number");
    const inTurn = waiting.find(({ number }) => number === wireIndex) ?? waiting[0];
    const call =
      waiting.find((each) => wireId !== "" && each.wireId === wireId) ?? (name === "" ? inTurn : undefined);
    if (call !== undefined) call.wireIndex = wireIndex;
    return call;
  }

  function addArguments(call: OpenCall, text: string, out: ChatEvent[]): void {
    if (text === "") return;
    if (call.name === "") {
      call.waiting += text;
      return;
    }
    if (text !== PROBE) note(call, text);
    sink.wrote(call, text, out);
  }

  function note(call: OpenCall, text: string): void {
    call.text += text;
    call.object.push(text);
  }

  return {
    get count() {
      return calls.length;
    },
    push(given, out, isWhole) {
      const fields = fieldsOf(given);
      const isCustom = typeof fields["custom"] === "object" && fields["custom"] !== null;
      const work = fieldsOf(isCustom ? fields["custom"] : fields["function"]);
      const wireId = textOf(fields["id"]);
      const name = textOf(work["name"]);
      const wireIndex = fields["index"];
      const text = argumentsOf(work["arguments"]);
      const known = isWhole && name !== "" ? undefined : knownCall({ wireIndex, wireId, name, text });
      const call = known ?? open(wireId, wireIndex, isCustom);
      last = call;
      if (known !== undefined && name !== "" && isRepeated(known, wireId, text)) return;
      if (call.wireId === "") call.wireId = wireId;
      if (call.name === "" && name !== "") {
        call.name = name;
        call.id = ownCallId(
          call.wireId,
          calls.some(({ id }) => id === call.wireId),
        );
        call.signature = signatureOf(fields, namespace);
        sink.opened(call, out);
        addArguments(call, call.waiting, out);
      }
      addArguments(call, call.isCustom ? argumentsOf(work["input"]) : text, out);
    },
    told(text) {
      if (last !== undefined) note(last, text);
    },
    end(out) {
      for (const call of calls) {
        if (call.name === "") throw unreadable("a tool call without a name");
        if (call.text === "" && !call.isCustom) addArguments(call, "{}", out);
        sink.closed(call, out);
      }
    },
  };
}

/** An object after arguments that are complete cannot be more of them: a call of the same name has begun. */
function beginsAnother({ text: before, object, isCustom }: OpenCall, text: string): boolean {
  return !isCustom && object.isClosed && /^\s*\{/.test(text) && isJson(before);
}

/** Some servers say a call once more when they have said it. Without an id to tell it by, it is another one. */
function isRepeated(call: OpenCall, wireId: string, text: string): boolean {
  const isOfIt = wireId !== "" && call.wireId === wireId && beginsAnother(call, text);
  return isOfIt && call.text.trim() === text.trim();
}

/** Where Google's models, reached over this wire, put the proof that a call is theirs. */
function signatureOf(fragment: Fields, namespace: string): string | undefined {
  const signature = textOf(fieldsOf(fieldsOf(fragment["extra_content"])["google"])["thought_signature"]);
  return signature === "" ? undefined : encodeSeal(namespace, signature);
}

/** Some servers send the arguments as the object that they mean. */
export function argumentsOf(given: unknown): string {
  if (typeof given === "string") return given;
  return typeof given === "object" && given !== null ? JSON.stringify(given) : "";
}

function unreadable(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's answer could not be read.", {
    internal,
    news: "up",
  });
}
