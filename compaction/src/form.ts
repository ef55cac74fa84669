import { type Action, LEAST_GAIN_TOKENS } from "./compaction.ts";
import { dropMarks } from "./fences/language-fences.ts";
import type { Replacement } from "./text/pieces.ts";
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

/** The shortest draft, if it saves enough to be worth the change; else the original. */
export function chooseForm(original: Form, drafts: readonly Draft[], count: TokenCount): Form {
  let best = original;
  let limit = original.originalTokens - LEAST_GAIN_TOKENS;
  for (const draft of drafts) {
    if (draft.text === original.text) continue;
    const tokens = count(draft.text);
    if (tokens > limit) continue;
    best = { ...draft, originalTokens: original.originalTokens, tokens };
    limit = tokens - 1;
  }
  return best;
}

type Marked = { readonly drafts: readonly Draft[]; readonly count: TokenCount };

/**
 * Like `chooseForm`, for texts in which our marks have a meaning: incoming text that looks like a mark is never shown
 * as it is. `escaped` is the original with such text escaped.
 */
export function chooseMarkedForm(original: Form, escaped: string, { drafts, count }: Marked): Form {
  const form = chooseForm(original, drafts, count);
  if (escaped === original.text) return form;
  if (form !== original) {
    // The other steps worked on the escaped text, except for a reference to the whole text, which shows none of it.
    const taken = [...form.actions];
    const isWhole = taken.includes("duplicate_messages");
    return isWhole ? form : { ...form, actions: [...taken, "escaped_marks"] };
  }
  const tokens = count(escaped);
  const isLonger = tokens > form.tokens;
  const text = isLonger ? dropMarks(original.text) : escaped;
  return { ...form, text, tokens: isLonger ? count(text) : tokens, actions: ["escaped_marks"] };
}
