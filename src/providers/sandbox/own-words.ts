const MAX_BLOCKS = 64;
const TAG = /<([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)(?:\s[^<>]{0,200})?>/gi;
/** Names that hold the prompt itself: only their tags go. */
const AROUND_PROMPT = new Set(
  "task query prompt request question message user_query user_message user_request user_input user_prompt".split(
    " ",
  ),
);
/** Words of one part that stand for an agent's own text all the same; a user's document may be called anything else. */
const AROUND_NOTES = new Set("context environment instructions permissions reminder rules skills".split(" "));
const INSTRUCTIONS_FILE = /^\s*#\s*[A-Z]{3,12}\.md\b/;

/**
 * A user message without the blocks that a coding agent adds to it (`<environment_context>`, `<system-reminder>` and
 * their like): what the person wrote. Empty for a message that only the agent wrote. One pass and a
 * bounded number of blocks, whatever the text holds.
 */
export function ownWords(text: string): string {
  if (INSTRUCTIONS_FILE.test(text)) return "";
  if (!text.includes("</")) return text;
  let own = "";
  let copied = 0;
  const tags = new RegExp(TAG);
  /** Not looked for again: a search to the end of the text for every tag would add up. */
  const unclosed = new Set<string>();
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
    const tag = tags.exec(text);
    if (tag === null) break;
    const name = (tag[1] ?? "").toLowerCase();
    const isPrompt = AROUND_PROMPT.has(name);
    if (!isPrompt && !AROUND_NOTES.has(name) && !/[_-]/.test(name)) continue;
    if (unclosed.has(name)) continue;
    const inside = tag.index + tag[0].length;
    const close = text.indexOf(`</${tag[1]}>`, inside);
    if (close < 0) {
      unclosed.add(name);
      continue;
    }
    own += text.slice(copied, tag.index);
    if (isPrompt) own += ownWords(text.slice(inside, close));
    copied = close + name.length + "</>".length;
    tags.lastIndex = copied;
  }
  return own + text.slice(copied);
}
