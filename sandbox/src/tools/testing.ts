import type { ChatRequest, Tool } from "../../../gateway/src/contract/index.ts";
import { PLAIN_SCRIPT, type Script } from "../directives/directives.ts";
import { createOptionBook } from "../fill/option-book.ts";
import { createRandom } from "../random.ts";
import { decideCalls } from "./tool-calls.ts";

export function tool(name: string, properties: Record<string, unknown>, description?: string): Tool {
  const parameters = { type: "object", properties, required: Object.keys(properties) };
  return { name, parameters, ...(description === undefined ? {} : { description }) };
}

export const text = { type: "string" };
export const weather = tool("get_weather", { city: text }, "Current weather of a city");
export const time = tool("get_time", { city: text });
const flight = tool("book_flight", {
  origin: text,
  destination: text,
  passengers: { type: "integer" },
  date: text,
});
export const bash = tool("bash", { command: text }, "Executes a shell command");
const read = tool("read", { path: text });
export const TOOLS = [weather, time, flight, bash, read];

type Options = {
  tools?: readonly Tool[];
  toolChoice?: ChatRequest["toolChoice"];
  script?: Partial<Script>;
  hasResults?: boolean;
  called?: readonly string[];
  wireFields?: Record<string, unknown>;
};

export function decide(prompt: string, options: Options = {}) {
  return decideCalls({
    request: {
      messages: [{ role: "user", content: prompt }],
      maxOutputTokens: 100,
      tools: options.tools ?? TOOLS,
      ...(options.toolChoice === undefined ? {} : { toolChoice: options.toolChoice }),
      ...(options.wireFields === undefined ? {} : { wireFields: options.wireFields }),
    },
    prompt,
    script: { ...PLAIN_SCRIPT, ...options.script },
    turn: {
      toolResults: options.hasResults ? [{ name: "bash", text: "done" }] : [],
      called: new Set(options.called),
    },
    random: createRandom(1),
    options: createOptionBook(),
  });
}

/** Calls as `name {arguments}`; the outcome if nothing is called. */
export function callsOf(prompt: string, options: Options = {}): string[] {
  const decision = decide(prompt, options);
  if (decision.outcome !== "call") return [decision.outcome];
  return decision.calls.map((call) => `${call.name} ${call.arguments}`);
}
