const MAX_TAGS = 64;
const TAG = /<([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)(?:\s[^<>]{0,200})?>/gi;
/** Tags around the prompt itself: only the tags are removed. */
const AROUND_PROMPT = new Set(
  "task query prompt request question message user_query user_message user_request user_input user_prompt".split(
    " ",
  ),
);
/** Single-word tags that hold an agent's own text; a user's document may have any other name. */
const AROUND_NOTES = new Set("context environment instructions permissions reminder rules skills".split(" "));
/**
 * The name fills its line, alone or as `# AGENTS.md instructions for /a`; a person would continue the sentence. In the
 * latter, trailing spaces count as part of the path: a separate repetition for them would be retried from each
 * character.
 */
const INSTRUCTIONS_FILE =
  /^\s*#\s*[A-Z]{3,12}\.md(?: instructions for [^\n]{1,1000}|(?: instructions)?[ \r]*)(?:\n|$)/;
/** OpenClaw ends a prompt with its own state between `<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>` and `<<<END_…>>>`. */
const FENCE = /<<<BEGIN_([A-Z][A-Z0-9_]{0,63})>>>/g;

/**
 * A user message without the blocks that a coding agent adds (`<environment_context>`, `<system-reminder>` and the
 * like): what the person wrote. Empty if only the agent wrote it. One pass over a bounded number of tags, with one
 * search for the end of each, whatever the text contains and however deeply the tags nest.
 */
export function ownWords(written: string): string {
  if (INSTRUCTIONS_FILE.test(written)) return "";
  const text = withoutFenced(written);
  if (!text.includes("</")) return text;
  let own = "";
  let copied = 0;
  const keepUpTo = (end: number, after: number) => {
    own += text.slice(copied, end);
    copied = after;
  };
  const tags = new RegExp(TAG);
  /** Not searched for again: each search goes to the end of the text. */
  const unclosed = new Set<string>();
  /** Open tags around a prompt, innermost last: where the closing tag begins, and where the text continues. */
  const around: { readonly close: number; readonly after: number }[] = [];
  const leave = (at: number) => {
    for (let last = around.at(-1); last !== undefined && last.close <= at; last = around.at(-1)) {
      keepUpTo(last.close, last.after);
      around.pop();
    }
  };
  for (let read = 0; read < MAX_TAGS; read++) {
    const tag = tags.exec(text);
    if (tag === null) break;
    leave(tag.index);
    const spelling = tag[1] ?? "";
    const name = spelling.toLowerCase();
    const isPrompt = AROUND_PROMPT.has(name);
    if (!isPrompt && !AROUND_NOTES.has(name) && !/[_-]/.test(name)) continue;
    if (unclosed.has(spelling)) continue;
    const inside = tag.index + tag[0].length;
    const close = text.indexOf(`</${spelling}>`, inside);
    if (close < 0) unclosed.add(spelling);
    if (close < 0 || close >= (around.at(-1)?.close ?? text.length)) continue;
    const after = close + spelling.length + "</>".length;
    if (isPrompt && !INSTRUCTIONS_FILE.test(text.slice(inside, close))) {
      keepUpTo(tag.index, inside);
      around.push({ close, after });
    } else {
      keepUpTo(tag.index, after);
      tags.lastIndex = after;
    }
  }
  leave(text.length);
  return own + text.slice(copied);
}

/** At most as many fences are looked at as tags. */
function withoutFenced(text: string): string {
  if (!text.includes("<<<END_")) return text;
  let own = "";
  let copied = 0;
  const fences = new RegExp(FENCE);
  const unclosed = new Set<string>();
  for (let read = 0; read < MAX_TAGS; read++) {
    const fence = fences.exec(text);
    if (fence === null) break;
    const [opening, name = ""] = fence;
    if (unclosed.has(name)) continue;
    const closing = `<<<END_${name}>>>`;
    const close = text.indexOf(closing, fence.index + opening.length);
    if (close < 0) {
      unclosed.add(name);
      continue;
    }
    own += text.slice(copied, fence.index);
    copied = close + closing.length;
    fences.lastIndex = copied;
  }
  return own + text.slice(copied);
}
