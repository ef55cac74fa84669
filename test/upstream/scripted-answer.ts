/** What the scripted model says next: text, or tool calls with optional text before them. */
export type ScriptedAnswer = {
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  /** In the pieces that a stream delivers. */
  readonly text: readonly string[];
};

/** One entry of a conversation, independent of the wire. */
export type ScriptedTurn = {
  readonly role: "user" | "tool" | "other";
  readonly text: string;
  readonly hasImage: boolean;
};

/** In a prompt, asks for a long, slow answer, for clients that disconnect in the middle. */
export const SLOWLY = "slowly";
const SLOW_PIECES = 400;
/** In a prompt, asks for text before the tool calls. */
export const ALOUD = "aloud";
export const SAID_ALOUD = "Let me look that up.";
/** `<<NAME {json}>>` in a prompt calls that tool. */
const CALL = /<<([\w.-]+) (\{.*?\})>>/gs;
export const SCRIPTED_VALUE = { city: "Paris", people: 2_100_000 };

/**
 * All that the model can do: it calls the tools that the last prompt names, with text before them if asked, repeats the
 * tools' results, gives one value if a schema is requested, says whether it saw an image, and answers 42 to everything
 * else.
 */
export function scriptedAnswer(turns: readonly ScriptedTurn[], wantsValue: boolean): ScriptedAnswer {
  const at = turns.findLastIndex(({ role, text }) => role === "user" && text.search(CALL) >= 0);
  const results = turns.slice(at + 1).filter(({ role }) => role === "tool");
  if (at >= 0 && results.length === 0) {
    const named = [...unquoted(turns[at]?.text ?? "").matchAll(CALL)];
    const calls = named.map(([, name = "", input = "{}"], call) => ({
      id: `call_${at}_${call}`,
      name,
      input,
    }));
    return { calls, text: turns[at]?.text.includes(ALOUD) ? pieces(SAID_ALOUD) : [] };
  }
  return { calls: [], text: textFor(turns, results, wantsValue) };
}

/** One agent sends a prompt of several words as a JSON string, in quotes. */
function unquoted(prompt: string): string {
  return /^"(?:[^"\\]|\\.)*"$/s.test(prompt.trim()) ? (JSON.parse(prompt) as string) : prompt;
}

function textFor(
  turns: readonly ScriptedTurn[],
  results: readonly ScriptedTurn[],
  wantsValue: boolean,
): readonly string[] {
  if (wantsValue) return pieces(JSON.stringify(SCRIPTED_VALUE));
  if (results.length > 0) return pieces(`The tools said: ${results.map(({ text }) => text).join("; ")}.`);
  if (turns.at(-1)?.text.includes(SLOWLY)) return Array(SLOW_PIECES).fill("more ");
  if (turns.some(({ hasImage }) => hasImage)) return pieces("I see a picture.");
  return pieces("The answer is 42.");
}

function pieces(text: string): readonly string[] {
  return text.match(/.{1,7}/gs) ?? [];
}
