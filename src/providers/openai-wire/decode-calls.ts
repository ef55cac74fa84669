import { newId } from "../../kit/index.ts";
import { type ChatEvent, ProviderFailure } from "../contract.ts";
import { encodeSeal } from "./seal.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A tool call on its way in. */
export type OpenCall = {
  /** Calls of an answer are counted from 0, whatever the server counts. */
  readonly number: number;
  /** What the server numbers it; no number until a fragment brings one. */
  wireIndex: unknown;
  /** Takes a text of any form, where a function takes a JSON text. */
  readonly isCustom: boolean;
  id: string;
  name: string;
  /** Its provider's, sealed. */
  signature: string | undefined;
  /** Arguments that came before the name, which must be told first. */
  waiting: string;
  hasArguments: boolean;
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
  push(fragment: unknown, out: ChatEvent[]): void;
  /** The answer has ended: a call without arguments still needs a JSON text. */
  end(out: ChatEvent[]): void;
};

export function createCallDecoder(sink: CallSink, namespace: string): CallDecoder {
  const calls: OpenCall[] = [];

  function open(id: string, wireIndex: unknown, isCustom: boolean): OpenCall {
    if (calls.length >= MAX_CALLS) throw unreadable("too many tool calls");
    const call: OpenCall = {
      number: calls.length,
      wireIndex,
      isCustom,
      id,
      name: "",
      signature: undefined,
      waiting: "",
      hasArguments: false,
    };
    calls.push(call);
    return call;
  }

  /**
   * Which call a fragment belongs to. Usually its index says it; some servers send none, and some number
   * every call 0, so a fragment with a name and another id begins a call of its own.
   */
  function knownCall(wireIndex: unknown, id: string, name: string): OpenCall | undefined {
    const known =
      typeof wireIndex === "number"
        ? (calls.findLast((call) => call.wireIndex === wireIndex) ?? lateNumbered(wireIndex, id, name))
        : id !== ""
          ? calls.findLast((call) => call.id === id)
          : name === ""
            ? calls.at(-1)
            : undefined;
    const isOther = known !== undefined && name !== "" && id !== "" && known.id !== "" && known.id !== id;
    return isOther ? undefined : known;
  }

  /** A call that began without a number gets this one: by its id, by its place, or because it is the next in turn. */
  function lateNumbered(wireIndex: number, id: string, name: string): OpenCall | undefined {
    const waiting = calls.filter((call) => typeof call.wireIndex !== "number");
    const inTurn = waiting.find(({ number }) => number === wireIndex) ?? waiting[0];
    const call = waiting.find((each) => id !== "" && each.id === id) ?? (name === "" ? inTurn : undefined);
    if (call !== undefined) call.wireIndex = wireIndex;
    return call;
  }

  function addArguments(call: OpenCall, text: string, out: ChatEvent[]): void {
    if (text === "") return;
    if (call.name === "") {
      call.waiting += text;
      return;
    }
    call.hasArguments = true;
    sink.wrote(call, text, out);
  }

  return {
    get count() {
      return calls.length;
    },
    push(given, out) {
      const fragment = fieldsOf(given);
      const isCustom = typeof fragment["custom"] === "object" && fragment["custom"] !== null;
      const work = fieldsOf(isCustom ? fragment["custom"] : fragment["function"]);
      const id = textOf(fragment["id"]);
      const name = textOf(work["name"]);
      const wireIndex = fragment["index"];
      const call = knownCall(wireIndex, id, name) ?? open(id, wireIndex, isCustom);
      if (call.id === "") call.id = id;
      if (call.name === "" && name !== "") {
        call.name = name;
        if (call.id === "") call.id = `call_${newId().replaceAll("-", "")}`;
        call.signature = signatureOf(fragment, namespace);
        sink.opened(call, out);
        addArguments(call, call.waiting, out);
      }
      addArguments(call, argumentsOf(work[call.isCustom ? "input" : "arguments"]), out);
    },
    end(out) {
      for (const call of calls) {
        if (call.name === "") throw unreadable("a tool call without a name");
        if (!call.hasArguments && !call.isCustom) addArguments(call, "{}", out);
        sink.closed(call, out);
      }
    },
  };
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

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function unreadable(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's answer could not be read.", { internal });
}
