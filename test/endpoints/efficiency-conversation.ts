/** An agent's conversation in which every turn has something to compact, in the three forms that clients send. */

type Json = Readonly<Record<string, unknown>>;

const LINES = Array.from(
  { length: 60 },
  (_, at) => `  const value${at} = compute(${at}, "${"abcdefgh".slice(at % 8)}");`,
);
const CHANGED = LINES.with(20, "  const value20 = other();");

function numbered(lines: readonly string[]): string {
  return lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join("\n");
}

const FLIGHTS = JSON.stringify(
  Array.from({ length: 12 }, (_, at) => ({ flight: `HAT${at}`, origin: "JFK", seats: at * 3, price: 100.5 })),
  null,
  2,
);

/** The tool calls and their results, in order. */
const TURNS = [
  { name: "Read", input: '{"path": "./main.ts"}', said: numbered(LINES) },
  { name: "search_flights", input: '{"from":"JFK","note":"  keep  "}', said: FLIGHTS },
  { name: "Read", input: '{"path": "./main.ts"}', said: numbered(CHANGED) },
  { name: "search_flights", input: '{"from":"JFK","note":"  keep  "}', said: FLIGHTS },
];
const SYSTEM = "You are careful.\n     1\tNothing here changes.\n     2\tNor here.\n     3\tNor here.";
const ASK = `Please read it:\n${numbered(LINES.slice(0, 5))}`;

/** As messages of chat completions. */
export function chatMessages(): Json[] {
  return [
    { role: "system", content: SYSTEM },
    { role: "user", content: ASK },
    ...TURNS.flatMap(({ name, input, said }, at) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: `c${at}`, type: "function", function: { name, arguments: input } }],
      },
      { role: "tool", tool_call_id: `c${at}`, content: said },
    ]),
    { role: "assistant", content: `Done.\n${LINES.slice(0, 30).join("\n")}` },
    { role: "user", content: "Thanks." },
  ];
}

/** As items of the responses wire; some results are lists of content parts. */
export function responseItems(): Json[] {
  return [
    { role: "user", content: [{ type: "input_text", text: ASK }] },
    ...TURNS.flatMap(({ name, input, said }, at) => [
      { type: "function_call", call_id: `c${at}`, name, arguments: input },
      {
        type: "function_call_output",
        call_id: `c${at}`,
        output: at % 2 === 0 ? said : [{ type: "input_text", text: said }],
      },
    ]),
    {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: `Done.\n${LINES.slice(0, 30).join("\n")}` }],
    },
    { role: "user", content: "Thanks." },
  ];
}

export const INSTRUCTIONS = SYSTEM;

/** As messages of the native interface, which has no tool role: tool results are put in fences. */
export function fencedMessages(): Json[] {
  return [
    { role: "system", content: SYSTEM },
    { role: "user", content: ASK },
    ...TURNS.flatMap(({ name, said }) => [
      { role: "assistant", content: `I call ${name}.` },
      { role: "user", content: `It said:\n\`\`\`\n${said}\n\`\`\`\nGo on.` },
    ]),
  ];
}

/** Every prefix of the conversation that a client would have sent to get the next answer. */
export function turnsOf(entries: readonly Json[]): Json[][] {
  return entries.flatMap((entry, at) => {
    const isAnswer = entry["role"] === "assistant" || entry["type"] === "function_call";
    return at > 0 && isAnswer ? [entries.slice(0, at)] : [];
  });
}
