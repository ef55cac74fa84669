import type { ToolCall } from "../message.ts";
import { type Argument, firstArgument } from "./first-argument.ts";
import { endForms, fitsForm, identityOf, longForms, shortForm } from "./short-argument.ts";

/**
 * How a call is referred to: its tool, and the argument that says what it is about. Shared by all calls with the same
 * ones.
 */
type CallName = {
  /** The shortest name that is unambiguous among the calls so far. */
  say(this: void): string;
  /** How many results, and how many arguments, have this name. */
  readonly results: Counted;
  readonly arguments: Counted;
};

export type Counted = { count: number };

type Known = CallName & { readonly tool: string; readonly argument: Argument };

/** Names never span lines. */
const BROKEN = /[\n\r]/;
const NOTHING: Argument = { value: "", isText: false, place: "" };

/** The form fits two or more calls. */
const UNCLEAR = null;

/**
 * How often shortened forms are compared with other arguments: no agent makes enough calls for more, which would block
 * the process.
 */
const MOST_COMPARED = 40_000;

export function createCallNames(): (call: ToolCall) => CallName {
  const ofCalls = new Map<ToolCall, Known>();
  const names = new Map<string, Known>();
  /** What each form may stand for: all short forms, and the longer forms of calls that need them. */
  const meant = new Map<string, Known | typeof UNCLEAR>();
  const ofTools = new Map<string, Known[]>();
  let compared = 0;

  function learn(form: string, name: Known): void {
    const known = meant.get(form);
    if (known !== name) meant.set(form, known === undefined ? name : UNCLEAR);
  }

  function learnMore(name: Known): void {
    for (const form of longForms(name.argument)) learn(`${name.tool} ${form}`, name);
  }

  function create(tool: string, argument: Argument): Known {
    const form = shortForm(argument);
    const short = form === "" ? tool : `${tool} ${form}`;
    const name: Known = { tool, argument, results: { count: 0 }, arguments: { count: 0 }, say };
    const ofTool = ofTools.get(tool) ?? [];
    ofTool.push(name);
    ofTools.set(tool, ofTool);
    let fits = false;
    let checked = 0;
    const other = meant.get(short);
    learn(short, name);
    for (const end of endForms(argument)) {
      const seen = meant.get(`${tool} ${end}`);
      learn(`${tool} ${end}`, name);
      if (seen) learnMore(seen);
      if (seen !== undefined) learnMore(name);
    }
    if (other !== undefined) learnMore(name);
    if (other) learnMore(other);
    return name;

    function say(): string {
      if (meant.get(short) !== UNCLEAR && !fitsOther()) return short;
      const longer = longForms(argument).map((more) => `${tool} ${more}`);
      return longer.find(isOwn) ?? longer.at(-1) ?? short;
    }

    function isOwn(form: string): boolean {
      const known = meant.get(form);
      return known === name || known === undefined;
    }

    /** Each other call is compared once, however often the name is said. */
    function fitsOther(): boolean {
      if (!argument.isText || form === `"${argument.value}"`) return false;
      for (; !fits && checked < ofTool.length && compared < MOST_COMPARED; checked++, compared++) {
        const one = ofTool[checked] as Known;
        fits = one !== name && fitsForm(form, one.argument);
      }
      return fits;
    }
  }

  /** Cached, since most calls are looked up twice: for their arguments and for their result. */
  return (call) => {
    const known = ofCalls.get(call);
    if (known !== undefined) return known;
    const argument = firstArgument(call.arguments);
    const identity = identityOf(argument);
    const isShown = !BROKEN.test(identity);
    const key = `${call.name} ${isShown ? identity : ""}`;
    const name = names.get(key) ?? create(call.name, isShown ? argument : NOTHING);
    names.set(key, name);
    ofCalls.set(call, name);
    return name;
  };
}
