import type { ChatMessage, ChatRequest } from "../../../contract/index.ts";

type NamedRequest = {
  readonly request: ChatRequest;
  /** The client's own name of a tool that the model calls. */
  givenName(sent: string): string;
};

/**
 * For a provider that refuses the whole request if a tool's name begins with neither a letter nor `_`: such names get a
 * `_` prefix, repeated until the name is unique. Returns the same request if there are none.
 */
export function withLeadingLetters(request: ChatRequest): NamedRequest {
  const names = namesIn(request);
  const sent = new Map<string, string>();
  const given = new Map<string, string>();
  for (const name of [...names].filter(isRefused)) {
    let fitting = `_${name}`;
    while (names.has(fitting)) fitting = `_${fitting}`;
    names.add(fitting);
    sent.set(name, fitting);
    given.set(fitting, name);
  }
  return {
    request: sent.size === 0 ? request : renamed(request, (name) => sent.get(name) ?? name),
    givenName: (name) => given.get(name) ?? name,
  };
}

function isRefused(name: string): boolean {
  return /^[^A-Za-z_]/.test(name);
}

/** Includes the names of earlier calls, whose tools may be gone. */
function namesIn({ tools = [], messages }: ChatRequest): Set<string> {
  const names = new Set(tools.map(({ name }) => name));
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const { name } of message.toolCalls ?? []) names.add(name);
  }
  return names;
}

function renamed(request: ChatRequest, nameOf: (given: string) => string): ChatRequest {
  const { tools, toolChoice: choice, messages } = request;
  const named = <Named extends { readonly name: string }>(each: Named): Named => ({
    ...each,
    name: nameOf(each.name),
  });
  const withNames = (message: ChatMessage): ChatMessage =>
    message.role === "assistant" && message.toolCalls !== undefined
      ? { ...message, toolCalls: message.toolCalls.map(named) }
      : message;
  return {
    ...request,
    messages: messages.map(withNames),
    ...(tools === undefined ? {} : { tools: tools.map(named) }),
    ...(typeof choice === "object" ? { toolChoice: named(choice) } : {}),
  };
}
