import { namedKindOf, resultKindOf, type ToolKind } from "./calls/tool-kind.ts";
import type { ChatMessage, ToolCall } from "./message.ts";
import { createTextWriter } from "./text/text-writer.ts";

type Content = Extract<ChatMessage, { role: "user" }>["content"];

/** What an agent's framework wrote into a user message: the inside of a frame that nobody types by hand. */
type Output = Returned & { readonly from: number; readonly to: number };

export type Returned = {
  /** What the frame says about the call; else what the model asked for. */
  readonly call: ToolCall;
  readonly kind: ToolKind;
};

/** How one kind of agent frames what its tools returned. */
type Protocol = {
  /** Occurs in each of its messages: most texts are read no further. */
  readonly sign: string;
  /** The frame's beginning, with the `name` of the tool and what the call was `about`, if it says so. */
  readonly open: RegExp;
  /** What follows the inside, unless that is the rest of the text. */
  readonly close?: RegExp;
  /** The tool, if the frame does not name it. */
  readonly tool?: string;
};

const CLINE_TOOLS =
  "access_mcp_resource|apply_diff|browser_action|codebase_search|execute_command|insert_content|list_code_definition_names|list_files|read_file|replace_in_file|search_and_replace|search_files|use_mcp_tool|write_to_file";
/** What Cline and its descendants, or a person, write below a result. */
const BELOW_RESULT = "<environment_details>|<feedback>|<user_message>|# task_progress|# TODO LIST";
/** Of Hermes and Qwen, of loops of one's own, and of the commands that people run in Claude Code. */
const TAGS =
  "tool_result tool_response tool_output function_result function_results function_response observation execution_result command_output bash-stdout local-command-stdout";

/** Agents of 2024 to 2026. An inside contains nothing that closes its frame, whatever becomes of it. */
const PROTOCOLS: readonly Protocol[] = [
  {
    // OpenHands, R2E-Gym, and loops of one's own; SWE-agent and its descendants, smolagents; Terminus
    sign: ":\n",
    open: /^(?:\[?(?:EXECUTION RESULT of|Execution output of|[Tt]ool (?:[Rr]esult|[Oo]utput)s?(?: for| of| from)?) ?\[?(?<name>[\w.-]{1,64})?\]?|OBSERVATION|Observation(?::\nExecution logs)?|(?:Previous response had .{0,2000}?\n\n)?(?:New Terminal Output|Current Terminal Screen)):\n/sy,
  },
  {
    // Cline, Roo Code, Kilo Code, Bob. An inside ends with a line: one that lost its number could open a frame.
    sign: "] Result:\n",
    open: new RegExp(
      `^\\[(?<name>${CLINE_TOOLS})(?: for '(?<about>.{0,600}?)')?[^\\]\\n']{0,200}\\] Result:\\n`,
      "gms",
    ),
    close: new RegExp(`\\n[^\\n]*?(?:\\[\\w{1,64} for '|\\] Result:|${BELOW_RESULT})|$`, "g"),
  },
  {
    // mini-swe-agent
    sign: "</returncode>",
    open: /^(?:<returncode>-?\d+<\/returncode>\n(?:<warning>[^<]{0,2000}<\/warning>\s?)?<output(?:_head)?>|<output_tail>)\n?/gm,
    close: /\n?<\/output(?:_head|_tail)?>/g,
    tool: "bash",
  },
  {
    // opencode: files that a person named
    sign: "<type>file</type>",
    open: /^<path>(?<about>[^<\n]{1,400})<\/path>\n<type>file<\/type>\n<content>\n?/gm,
    close: /\n?<\/content>/g,
    tool: "read",
  },
  ...TAGS.split(" ").map((tag) => ({
    sign: `</${tag}>`,
    open: new RegExp(
      `^<${tag}(?: [^>\\n]{0,99}?(?:name|tool)="(?<name>[\\w.-]+)")?[^>\\n]{0,200}>\\n?`,
      "gm",
    ),
    close: new RegExp(`\\n?</${tag}>`, "g"),
  })),
  {
    // SWE-agent before 1.0
    sign: "\nbash-$",
    open: /^/y,
    close: /\n\(Open file: [^\n]*\)\n\(Current directory: [^\n]*\)\nbash-\$$/g,
  },
];

/** No tool that is known: what it returned may be a file. */
const UNKNOWN = "output";
/** What an agent without a tool interface writes to run a command or to read a file. */
const ASKED = /^```\w*\n(.*?)\n```|<parameter=(?:command|path|cmd)>([^<]*)</gms;
/** A longer answer is not searched for it. */
const MOST_ASKED = 20_000;

/**
 * The frames in each text of a message, in order. All are of the protocol whose frame opens first, before anything that
 * may change; one that crosses the border of a part is none. `asked` is what the model said before. Linear in the text.
 */
export function findOutputs(content: Content, asked: string): Output[][] {
  const texts = textsOf(content);
  const text = texts.join("\n");
  const [outputs] = PROTOCOLS.filter(({ sign }) => text.includes(sign))
    .map((protocol) => scan(text, protocol, asked))
    .filter(({ length }) => length > 0)
    .sort(([one], [other]) => (one?.from ?? 0) - (other?.from ?? 0));
  if (outputs === undefined) return [];
  let [start, next] = [0, 0];
  return texts.map(({ length }) => {
    const own: Output[] = [];
    for (let one = outputs[next]; one !== undefined && one.from <= start + length; one = outputs[++next]) {
      const [from, to] = [one.from - start, one.to - start];
      if (from >= 0 && to <= length) own.push({ ...one, from, to });
    }
    start += length + 1;
    return own;
  });
}

/** Replaces the insides of the frames of one text. */
export function mapInsides(
  text: string,
  outputs: readonly Output[],
  change: (inside: string, returned: Returned) => string,
): string {
  const writer = createTextWriter(text);
  for (const one of outputs) writer.replace(one.from, one.to, change(text.slice(one.from, one.to), one));
  return writer.finish();
}

function textsOf(content: Content): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((part) => (part.type === "text" ? [part.text as string] : []));
}

function scan(text: string, { open, close, tool = UNKNOWN }: Protocol, asked: string): Output[] {
  const outputs: Output[] = [];
  /** Of all frames that say nothing: an answer may be long. */
  let unsaid: Returned | null = null;
  for (let opened = search(open, text, 0); opened !== null; ) {
    const from = opened.index + opened[0].length;
    // The line break that ends the beginning may also begin the end.
    const closed = close === undefined ? null : search(close, text, Math.max(0, from - 1));
    if (close !== undefined && closed === null) break;
    const to = Math.max(from, closed?.index ?? text.length);
    const { name, about } = opened.groups ?? {};
    const isSaid = about !== undefined || (name !== undefined && close !== undefined);
    if (!isSaid && unsaid === null) unsaid = returnedBy(name ?? tool, askedIn(asked));
    outputs.push({
      ...{ from, to },
      ...(isSaid || unsaid === null ? returnedBy(name ?? tool, about ?? "") : unsaid),
    });
    opened = to < text.length && to > opened.index ? search(open, text, to) : null;
  }
  return outputs;
}

function search(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** A shell whose command is unknown may have shown a file. */
function returnedBy(name: string, about: string): Returned {
  const kind = namedKindOf(name);
  const isUnknown = about === "" && kind === "shell";
  const input = about === "" ? {} : { [kind === "file" ? "path" : "command"]: about };
  const call = { id: "", name: isUnknown ? UNKNOWN : name, arguments: JSON.stringify(input) };
  return { call, kind: resultKindOf(call) };
}

function askedIn(said: string): string {
  const calls = said.length > MOST_ASKED ? [] : [...said.matchAll(ASKED)];
  return calls.map(([, block, parameter]) => block ?? parameter).join("\n");
}
