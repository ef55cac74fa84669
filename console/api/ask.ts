import type { Commands, Problem, Queries } from "../../gateway/src/http/console/contract.ts";

type Answer = { readonly ok: unknown; readonly problem: Problem };

/** An error returned by the gateway, worded for the user. */
export class AskError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

export const UNREACHABLE: Problem = {
  code: "failed",
  message: "The gateway does not answer. Check your connection, or that it is running, and try again.",
};

/** Errors about who is signed in or which organization is shown: the refetched session decides what to show instead. */
export function isAboutWho(code: string): boolean {
  return ["signed_out", "stale", "forbidden", "elsewhere"].includes(code);
}

/** Belongs to the session and the organization that the page shows; commands without it are refused. */
let token = "";

export function rememberToken(given: string): void {
  token = given;
}

export async function query<Name extends keyof Queries>(
  name: Name,
  input: Queries[Name]["input"],
  signal?: AbortSignal,
): Promise<Queries[Name]["output"]> {
  const search = Object.keys(input).length === 0 ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const init = { signal, headers: tokenHeader() };
  return (await send(`/console/api/${name}${search}`, init)) as Queries[Name]["output"];
}

export async function command<Name extends keyof Commands>(
  name: Name,
  input: Commands[Name]["input"],
): Promise<Commands[Name]["output"]> {
  try {
    return await sendCommand(name, input);
  } catch (error) {
    if (!(error instanceof AskError) || error.problem.code !== "stale") throw error;
    const { person, token: renewed } = await query("session", {});
    // Another user signed in meanwhile, in another window: only their page may send this.
    if (person) throw error;
    rememberToken(renewed);
    return sendCommand(name, input);
  }
}

async function sendCommand<Name extends keyof Commands>(
  name: Name,
  input: Commands[Name]["input"],
): Promise<Commands[Name]["output"]> {
  const answer = await send(`/console/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...tokenHeader() },
    body: JSON.stringify(input),
  });
  return answer as Commands[Name]["output"];
}

/** Sent with every request: it identifies the organization that the page shows. */
export function tokenHeader(): Record<string, string> {
  return { "x-console-token": token };
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  let answer: Partial<Answer> | null;
  try {
    response = await fetch(path, { ...init, credentials: "same-origin" });
    answer = (await response.json()) as Partial<Answer> | null;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new AskError(UNREACHABLE);
  }
  if (answer?.problem?.code !== undefined) throw new AskError(answer.problem);
  // A proxy in front of the gateway reports in its own format that it is down: nothing was done.
  if (!response.ok || answer === null) throw new AskError(UNREACHABLE);
  return answer.ok;
}
