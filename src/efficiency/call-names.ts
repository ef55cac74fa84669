import type { ToolCall } from "../providers/index.ts";
import { firstArgument } from "./first-argument.ts";
import { shortForms } from "./short-argument.ts";

/** What a call is known by: its tool, and the argument that says what it is about. */
export type CallName = {
  /** The same for calls that no name tells apart. */
  readonly key: string;
  /** As short as it may be, among the calls so far. */
  say(this: void): string;
};

/** Two calls or more may be meant. */
const UNCLEAR = null;

export function createCallNames(): (call: ToolCall) => CallName {
  const names = new Map<ToolCall, CallName>();
  /** Of each form of a name, the key of the calls that it may stand for. */
  const meant = new Map<string, string | typeof UNCLEAR>();

  function learn(forms: readonly string[], key: string): void {
    for (const form of forms) {
      const known = meant.get(form);
      if (known !== key) meant.set(form, known === undefined ? key : UNCLEAR);
    }
  }

  /** Asked more than once for most calls: what they were given, and what came of it. */
  return (call) => {
    const known = names.get(call);
    if (known !== undefined) return known;
    const forms = shortForms(firstArgument(call.arguments)).map((form) => `${call.name} ${form}`);
    const key = forms.at(-1) ?? call.name;
    learn(forms, key);
    const name: CallName = { key, say: () => forms.find((form) => meant.get(form) === key) ?? key };
    names.set(call, name);
    return name;
  };
}
