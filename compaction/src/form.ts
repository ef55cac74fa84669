import { type Action, LEAST_GAIN_TOKENS } from "./compaction.ts";
import { dropMarks, escapeMarks } from "./fences/escape-marks.ts";
import type { Replacement } from "./text/replacement.ts";
import type { TokenCount } from "./tokens/known-counts.ts";

/** One way to show a text to the model. */
export type Draft = {
  readonly text: string;
  /** The parts that the model does not see in their original form. */
  readonly replacements: readonly Replacement[];
  readonly actions: Iterable<Action>;
};

export type Form = Draft & {
  /** Tokens of the original text, and of the shown one. */
  readonly originalTokens: number;
  readonly tokens: number;
};

/** The unchanged text. */
export function keepForm(text: string, count: TokenCount): Form {
  const tokens = count(text);
  return { text, replacements: [], actions: [], originalTokens: tokens, tokens };
}

/** The shortest draft, if it saves enough to be worth the change; else the original text. */
export function chooseForm(text: string, drafts: readonly Draft[], count: TokenCount): Form {
  let best = keepForm(text, count);
  const { originalTokens } = best;
  let limit = originalTokens - LEAST_GAIN_TOKENS;
  for (const draft of drafts) {
    if (draft.text === text) continue;
    const tokens = count(draft.text);
    if (tokens > limit) continue;
    best = { ...draft, originalTokens, tokens };
    limit = tokens - 1;
  }
  return best;
}

/** An incoming text, and the same with anything that looks like one of our marks escaped. */
type Marked = {
  readonly text: string;
  readonly escaped: string;
  readonly count: TokenCount;
};

export function readMarks(text: string, count: TokenCount): Marked {
  return { text, escaped: escapeMarks(text), count };
}

/**
 * Like `chooseForm`, for texts in which our marks have a meaning: incoming text that looks like a mark is never shown
 * as it is.
 */
export function chooseMarkedForm({ text, escaped, count }: Marked, drafts: readonly Draft[]): Form {
  const form = chooseForm(text, drafts, count);
  if (escaped === text) return form;
  if (form.text !== text) return { ...form, actions: withEscapes(form.actions) };
  const tokens = count(escaped);
  const isLonger = tokens > form.tokens;
  const shown = isLonger ? dropMarks(text) : escaped;
  return {
    ...form,
    text: shown,
    tokens: isLonger ? count(shown) : tokens,
    actions: ["escaped_marks"],
  };
}

/** The other steps worked on the escaped text, except for a reference to the whole text, which shows none of it. */
function withEscapes(actions: Iterable<Action>): Action[] {
  const taken = [...actions];
  return taken.includes("duplicate_messages") ? taken : [...taken, "escaped_marks"];
}
