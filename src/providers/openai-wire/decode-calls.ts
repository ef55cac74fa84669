import { newId } from "../../kit/index.ts";
import { type ChatEvent, ProviderFailure } from "../contract.ts";
import { encodeSeal } from "./seal.ts";

type Fields = Readonly<Record<string, unknown>>;

type Call = {
  readonly number: number;
  readonly wireIndex: unknown;
  id: string;
  name: string;
  /** Arguments that came before the name, which must be told first. */
  waiting: string;
  hasArguments: boolean;
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

export function createCallDecoder(index: number, namespace: string): CallDecoder {
  const calls: Call[] = [];
  const ofAnswer = index === 0 ? {} : { index };

  function open(id: string, wireIndex: unknown): Call {
    if (calls.length >= MAX_CALLS) throw unreadable("too many tool calls");
    const call = { number: calls.length, wireIndex, id, name: "", waiting: "", hasArguments: false };
    calls.push(call);
    return call;
  }

  /**
   * Which call a fragment belongs to. Usually its index says it; some servers send none, and some number
   * every call 0, so a fragment with a name and another id begins a call of its own.
   */
  function callOf(fragment: Fields, id: string, name: string): Call {
    const wireIndex = fragment["index"];
    const isNumbered = typeof wireIndex === "number";
    const known = isNumbered
      ? calls.findLast((call) => call.wireIndex === wireIndex)
      : id !== ""
        ? calls.findLast((call) => call.id === id)
        : name === ""
          ? calls.at(-1)
          : undefined;
    const isOther = known !== undefined && name !== "" && id !== "" && known.id !== "" && known.id !== id;
    return known === undefined || isOther ? open(id, wireIndex) : known;
  }

  function addArguments(call: Call, text: string, out: ChatEvent[]): void {
    if (text === "") return;
    if (call.name === "") {
      call.waiting += text;
      return;
    }
    call.hasArguments = true;
    out.push({ type: "tool_arguments", call: call.number, text, ...ofAnswer });
  }

  return {
    get count() {
      return calls.length;
    },
    push(given, out) {
      const fragment = fieldsOf(given);
      const work = fieldsOf(fragment["function"]);
      const id = textOf(fragment["id"]);
      const name = textOf(work["name"]);
      const call = callOf(fragment, id, name);
      if (call.id === "") call.id = id;
      if (call.name === "" && name !== "") {
        call.name = name;
        if (call.id === "") call.id = `call_${newId().replaceAll("-", "")}`;
        const signature = signatureOf(fragment, namespace);
        out.push({ type: "tool_start", call: call.number, id: call.id, name, ...signature, ...ofAnswer });
        addArguments(call, call.waiting, out);
      }
      addArguments(call, argumentsOf(work["arguments"]), out);
    },
    end(out) {
      for (const call of calls) {
        if (call.name === "") throw unreadable("a tool call without a name");
        if (!call.hasArguments) addArguments(call, "{}", out);
      }
    },
  };
}

/** Where Google's models, reached over this wire, put the proof that a call is theirs. */
function signatureOf(fragment: Fields, namespace: string): { readonly signature?: string } {
  const signature = textOf(fieldsOf(fieldsOf(fragment["extra_content"])["google"])["thought_signature"]);
  return signature === "" ? {} : { signature: encodeSeal(namespace, signature) };
}

/** Some servers send the arguments as the object that they mean. */
function argumentsOf(given: unknown): string {
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
