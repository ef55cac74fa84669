import {
  type ChatEvent,
  type ChatMessage,
  type ProviderFailure,
  unreadableAnswer,
} from "../../../contract/index.ts";
import { ObjectText } from "../../../kit/index.ts";
import { EXCESS } from "../../../outbound/index.ts";
import { argumentsOf, type Fields, fieldsOf, isFields, textOf } from "../../../wires/index.ts";
import { closeSeal } from "../seal.ts";
import type { ChunkKind } from "../wire-chunk.ts";
import { EarlierCalls } from "./earlier-calls.ts";
import { bearingOn, callMeant, type Fragment, namesAgain, type OpenCall, restIn } from "./which-call.ts";

/** Receives the decoded calls, to emit them as neutral events or in the caller's wire. */
export type CallSink = {
  opened(call: OpenCall, out: ChatEvent[]): void;
  wrote(call: OpenCall, text: string, out: ChatEvent[]): void;
  closed(call: OpenCall, out: ChatEvent[]): void;
};

/** Far more than any model requests at once. */
const MAX_CALLS = 512;

/** Assembles the tool calls of one answer from fragments whose numbering cannot be trusted. */
export type CallDecoder = {
  /** Counts calls that have a name: some servers send an empty call beside text, which never gets one. */
  readonly count: number;
  /** `kind` is the kind of the chunk that contained the fragment. */
  push(fragment: unknown, out: ChatEvent[], kind: ChunkKind): void;
  /**
   * Records more arguments of the last fragment's call, which the fast path has already emitted. True once they are
   * complete: anything after that may be a repetition and must be parsed.
   */
  noteArguments(text: string): boolean;
  /** The answer has ended: a call with empty or blank arguments still needs valid JSON. */
  end(out: ChatEvent[]): void;
};

/** The provider that makes the calls, and the conversation before them. */
export type CallOrigin = {
  readonly namespace: string;
  readonly earlierMessages?: readonly ChatMessage[];
};

export function createCallDecoder(
  sink: CallSink,
  { namespace, earlierMessages = [] }: CallOrigin,
): CallDecoder {
  const earlier = new EarlierCalls(earlierMessages);
  const calls: OpenCall[] = [];
  let last: OpenCall | undefined;
  let named = 0;

  function open(wireId: string, wireIndex: unknown, isCustom: boolean): OpenCall {
    if (calls.length >= MAX_CALLS) throw unreadable("too many tool calls", EXCESS);
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
      isNamedAgain: false,
    };
    calls.push(call);
    return call;
  }

  function addArguments(call: OpenCall, text: string, out: ChatEvent[], kind: ChunkKind = "piece"): void {
    if (text === "") return;
    if (call.name === "") {
      call.waiting += text;
      return;
    }
    if (kind !== "probe") note(call, text);
    sink.wrote(call, text, out);
  }

  function note(call: OpenCall, text: string): void {
    call.text += text;
    call.object.push(text);
  }

  return {
    get count() {
      return named;
    },
    push(given, out, kind) {
      const fields = fieldsOf(given);
      const isCustom = isFields(fields["custom"]);
      const work = fieldsOf(isCustom ? fields["custom"] : fields["function"]);
      const wireId = textOf(fields["id"]);
      const givenName = textOf(work["name"]);
      const wireIndex = fields["index"];
      const text = argumentsOf(work["arguments"]);
      const fragment: Fragment = { wireIndex, wireId, name: givenName, text };
      const meant = kind === "whole" && givenName !== "" ? undefined : callMeant(calls, fragment);
      // A call that began without a number gets this one.
      if (meant !== undefined && typeof wireIndex === "number") meant.wireIndex = wireIndex;
      const bearing = meant === undefined ? "other" : bearingOn(meant, fragment);
      const call = meant === undefined || bearing === "other" ? open(wireId, wireIndex, isCustom) : meant;
      last = call;
      if (bearing === "repeat") return;
      if (namesAgain(call, fragment)) call.isNamedAgain = true;
      const name = givenName === "" && call !== meant ? (meant?.name ?? "") : givenName;
      if (call.wireId === "") call.wireId = wireId;
      if (call.name === "" && name !== "") {
        call.name = name;
        call.number = named++;
        call.id = earlier.freeId(call.wireId);
        call.signature = signatureOf(fields, namespace);
        sink.opened(call, out);
        addArguments(call, call.waiting, out);
      }
      // A probe that yields no event keeps pieces after complete arguments off the fast path.
      if (kind === "probe" && call.object.isClosed) return;
      const more = kind === "last" ? restIn(call, text) : text;
      addArguments(call, call.isCustom ? argumentsOf(work["input"]) : more, out, kind);
    },
    noteArguments(text) {
      if (last === undefined) return false;
      note(last, text);
      return last.object.isClosed;
    },
    end(out) {
      for (const call of calls) {
        if (call.name === "" && call.waiting === "") continue;
        if (call.name === "") throw unreadable("a tool call without a name");
        if (!call.isCustom && call.text.trim() === "") addArguments(call, "{}", out);
        sink.closed(call, out);
      }
    },
  };
}

/** Where Google's models, reached over this wire, put the signature of a call. */
function signatureOf(fragment: Fields, namespace: string): string | undefined {
  const signature = textOf(fieldsOf(fieldsOf(fragment["extra_content"])["google"])["thought_signature"]);
  return signature === "" ? undefined : closeSeal(namespace, signature);
}

function unreadable(internal: string, detail: Partial<typeof EXCESS> = {}): ProviderFailure {
  return unreadableAnswer(internal, { targetHealth: "up", ...detail });
}
