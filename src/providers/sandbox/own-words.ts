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

/**
 * A user message without the blocks that a coding agent adds (`<environment_context>`, `<system-reminder>` and the
 * like): what the person wrote. Empty if only the agent wrote it. One pass over a bounded number of tags, with one
 * search for the end of each, whatever the text contains and however deeply the tags nest.
 */
export function ownWords(text: string): string {
  if (INSTRUCTIONS_FILE.test(text)) return "";
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
    const written = tag[1] ?? "";
    const name = written.toLowerCase();
    const isPrompt = AROUND_PROMPT.has(name);
    if (!isPrompt && !AROUND_NOTES.has(name) && !/[_-]/.test(name)) continue;
    if (unclosed.has(written)) continue;
    const inside = tag.index + tag[0].length;
    const close = text.indexOf(`</${written}>`, inside);
    if (close < 0) unclosed.add(written);
    if (close < 0 || close >= (around.at(-1)?.close ?? text.length)) continue;
    const after = close + written.length + "</>".length;
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
