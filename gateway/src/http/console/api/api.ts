import { AppError } from "../../../kit/index.ts";
import { FILE, type FileReply, invalidInput, noSuch, tooMany } from "../../../operations/index.ts";
import { createBodyReader } from "../../body/body.ts";
import { checkContentType, decodeJson } from "../../body/json-body.ts";
import type { Ask } from "../ask.ts";
import type { ConsoleParts } from "../parts.ts";
import { introduce } from "./introduce.ts";
import type { CommandTable, QueryTable } from "./operation.ts";
import { type AnyOperation, operationFaces } from "./operation-faces.ts";
import { checkSender } from "./sender.ts";

export const API_PATH = "/console/api/";

const MAX_INPUT_BYTES = 64 * 1024;
const MAX_DEPTH = 8;

/** Reports aggregate an organization's rows; everything else reads a few. */
const REPORT_COST = 4;
const REPORTS: ReadonlySet<string> = new Set([
  "usage.overview",
  "usage.get",
  "member.list",
  "request.list",
  "request.export",
]);

/** A command writes a few rows; no person sends many in a second. */
const COMMAND_COST = 2;
const SIGN_OUT = `${API_PATH}sign-out`;

type ApiAnswer =
  | { readonly kind: "json"; readonly output: unknown }
  | { readonly kind: "file"; readonly file: FileReply };
type ConsoleApi = {
  answer(ask: Ask, request: Request): Promise<ApiAnswer>;
  /** Is there an operation with this name for the method? */
  has(method: string, name: string): boolean;
};

/**
 * The single entry to everything that the web app can request. Commands must come from our own page and carry its
 * token. Rights are checked before the input is read, and again before a command runs, so no operation can forget to.
 */
export function createConsoleApi(
  parts: ConsoleParts,
  tables: {
    readonly queries: Partial<QueryTable>;
    readonly commands: Partial<CommandTable>;
  },
): ConsoleApi {
  const queries = new Map<string, AnyOperation>(
    Object.entries({
      ...tables.queries,
      ...operationFaces(parts, ({ access, output }) => access === "read" && output !== FILE),
    }),
  );
  const commands = new Map<string, AnyOperation>(
    Object.entries({ ...tables.commands, ...operationFaces(parts, ({ access }) => access === "write") }),
  );
  const downloads = new Map<string, AnyOperation>(
    Object.entries(operationFaces(parts, ({ output }) => output === FILE)),
  );
  const bodies = createBodyReader({ bigBodyBytes: MAX_INPUT_BYTES, bigBodiesAtOnce: 1, timeoutMs: 10_000 });

  /** Checks that the caller has the right, and that the request comes from our own page. */
  async function introduceSender(operation: AnyOperation, ask: Ask, request: Request): Promise<unknown> {
    const asked = await introduce(parts, operation.who, ask);
    await operation.authorize?.(asked as never);
    await checkSender(parts, ask, request);
    return asked;
  }

  function readBody(request: Request): Promise<unknown> {
    return bodies.read(request, {
      limitBytes: MAX_INPUT_BYTES,
      use(bytes) {
        checkContentType(request.headers);
        return decodeJson(bytes, MAX_DEPTH);
      },
    });
  }

  /**
   * Checks the sender twice. First before the body is read, so that nobody else can make us read one; and again once
   * it is complete: it may take seconds to arrive, and a sender who was signed out, removed or given another role
   * meanwhile must not change anything. Signing out only gives up rights, so one check is enough.
   */
  async function command(operation: AnyOperation, ask: Ask, request: Request): Promise<unknown> {
    const asked = await introduceSender(operation, ask, request);
    // Counted only after the origin check: no foreign page may use up a person's allowance.
    const session = await ask.session();
    const isSignOut = ask.path === SIGN_OUT;
    if (session && !isSignOut) takeFrom(`${session.userId} commands`, COMMAND_COST);
    const input = parseInput(operation, await readBody(request));
    const sender = isSignOut ? asked : await introduceSender(operation, ask.anew(), request);
    return operation.run(sender as never, input as never);
  }

  async function read(operation: AnyOperation, ask: Ask): Promise<unknown> {
    const asked = await introduce(parts, operation.who, ask);
    await operation.authorize?.(asked as never);
    const input = parseInput(operation, queryInput(ask.query.get("input")));
    return operation.run(asked as never, input as never);
  }

  /** Checked before any other query of the operation. Visitors have nothing to read. */
  async function limitReads(ask: Ask, name: string): Promise<void> {
    const session = await ask.session();
    if (session) takeFrom(session.userId, REPORTS.has(name) ? REPORT_COST : 1);
  }

  /** Reads and commands have separate allowances; signing out costs nothing. */
  function takeFrom(whose: string, cost: number): void {
    const waitSeconds = parts.allowance.take(whose, cost);
    if (waitSeconds > 0) throw tooMany("Too many requests at once. Try again in a moment.", waitSeconds);
  }

  function find(method: string, name: string): AnyOperation | undefined {
    if (method === "POST") return commands.get(name);
    return method === "GET" ? (downloads.get(name) ?? queries.get(name)) : undefined;
  }

  return {
    has: (method, name) => find(method, name) !== undefined,
    async answer(ask, request) {
      const name = ask.path.slice(API_PATH.length);
      const isCommand = request.method === "POST";
      const operation = find(request.method, name);
      if (!operation) throw noSuch("address");
      if (!isCommand) await limitReads(ask, name);
      const output = await (isCommand ? command(operation, ask, request) : read(operation, ask));
      const isFile = operation === downloads.get(name);
      return isFile ? { kind: "file", file: output as FileReply } : { kind: "json", output };
    },
  };
}

function queryInput(text: string | null): unknown {
  if (text === null) return {};
  try {
    return decodeJson(new TextEncoder().encode(text), MAX_DEPTH);
  } catch (error) {
    if (error instanceof AppError) throw invalidInput("input", error.message);
    throw error;
  }
}

function parseInput(operation: AnyOperation, given: unknown): unknown {
  const parsed = operation.input.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidInput(issue?.path.map(String).join(".") ?? "", issue?.message ?? "That is not valid.");
}
