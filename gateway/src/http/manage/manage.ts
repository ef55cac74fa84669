import type { ReadLimiter } from "../../admission/index.ts";
import { type Catalog, planOf } from "../../catalog/index.ts";
import type { Identity, ManagementKey } from "../../identity/index.ts";
import { AppError, type RateState } from "../../kit/index.ts";
import {
  type Caller,
  camelName,
  type FileReply,
  inputFields,
  OPERATIONS,
  type Operation,
  type OperationServices,
  type Problem,
  perform,
  Refused,
  renamed,
  snakeName,
  valueOfText,
} from "../../operations/index.ts";
import { createBodyReader } from "../body/body.ts";
import { checkContentType, decodeJson } from "../body/json-body.ts";
import type { Mount } from "../context.ts";
import { setRateHeaders } from "../mark-reply.ts";
import { jsonReply } from "../reply.ts";
import { pathOf, queryOf } from "../request-target.ts";
import { managementDocument } from "./document.ts";

const MANAGEMENT_PATH = "/manage/v1";
const DOCUMENT = `${MANAGEMENT_PATH}/openapi.json`;

const MAX_INPUT_BYTES = 64 * 1024;
const MAX_DEPTH = 8;
const BODY_TIMEOUT_MS = 10_000;
/** Of an operator's key, whose calls count for no organization; reads and writes may be ten times as many. */
const OPERATORS_PER_MINUTE = 60;

type ManagementDeps = {
  readonly operations: OperationServices;
  readonly identity: Pick<Identity, "managementKeys" | "keyGuard" | "organizations">;
  readonly catalog: Catalog;
  readonly readLimiter: ReadLimiter;
  readonly publicUrl: string;
};

type Route = {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
};

const ROUTES: readonly Route[] = OPERATIONS.flatMap((operation: Operation) =>
  operation.rest.map((line) => {
    const [method = "", path = ""] = line.split(" ");
    const pattern = path.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+)`);
    return {
      method,
      path: `${MANAGEMENT_PATH}${path}`,
      pattern: new RegExp(`^${MANAGEMENT_PATH}${pattern}$`),
      operation,
    };
  }),
);

/** The management REST interface: every operation that has a path, for programs that carry a management key. */
export function createManagement(deps: ManagementDeps): Mount {
  const { operations, identity, catalog, readLimiter } = deps;
  const bodies = createBodyReader({
    bigBodyBytes: MAX_INPUT_BYTES,
    bigBodiesAtOnce: 1,
    timeoutMs: BODY_TIMEOUT_MS,
  });
  let document: string | undefined;

  async function callerOf(request: Request, clientAddress: string): Promise<Caller & { kind: "key" }> {
    const found = await identity.managementKeys.authenticate(request.headers.get("authorization"));
    if (found.outcome === "ok") {
      const { id, name, scopes, organizationId, mintedBy } = found.key;
      return { kind: "key", id, name, scopes, organizationId, mintedBy, clientAddress };
    }
    const verdict = await identity.keyGuard.recordFailure(clientAddress);
    if (verdict.outcome === "refuse") {
      const { retryAfterSeconds } = verdict;
      throw new AppError("rate_limit_exceeded", "Too many wrong keys from here.", { retryAfterSeconds });
    }
    if (found.outcome === "unauthorized")
      throw new AppError("unauthorized", "Send a management key: Authorization: Bearer, once.");
    if (found.outcome === "key_not_found") throw new AppError("key_not_found", "There is no such key.");
    throw new AppError("invalid_key", `The key is ${found.fault}.`);
  }

  async function limit({
    id,
    organizationId,
  }: Pick<ManagementKey, "id" | "organizationId">): Promise<RateState> {
    const organization =
      organizationId === null ? undefined : await identity.organizations.find(organizationId);
    const perMinute = organization
      ? planOf(catalog.plans, organization.plan).requestsPerMinute
      : OPERATORS_PER_MINUTE;
    const { ok, rate } = readLimiter.admitRead(`management ${organizationId ?? id}`, perMinute);
    if (ok) return rate;
    const retryAfterSeconds = rate.resetSeconds;
    throw new AppError("rate_limit_exceeded", "Too many requests in this minute.", {
      retryAfterSeconds,
      rate,
    });
  }

  function readBody(request: Request): Promise<unknown> {
    return bodies.read(request, {
      limitBytes: MAX_INPUT_BYTES,
      use(bytes) {
        if (bytes.byteLength === 0) return {};
        checkContentType(request.headers);
        return decodeJson(bytes, MAX_DEPTH);
      },
    });
  }

  async function answer(
    request: Request,
    clientAddress: string,
    route: Route,
    params: Params,
  ): Promise<Response> {
    const by = await callerOf(request, clientAddress);
    const rate = await limit(by);
    const { org = null, ...named } = params;
    const isInBody = route.method === "POST" || route.method === "PATCH";
    const given = isInBody ? await readBody(request) : queryInput(request, route.operation);
    const input = { ...(renamed(given, camelName) as object), ...named };
    try {
      const output = await perform(operations, route.operation, { by, face: "rest", org, input });
      const response = replyOf(output);
      setRateHeaders("native", response.headers, rate);
      return response;
    } catch (error) {
      throw error instanceof Refused ? errorOf(error.problem).withRate(rate) : error;
    }
  }

  return {
    path: MANAGEMENT_PATH,
    async handle(request, clientAddress) {
      const path = pathOf(request);
      if (path === DOCUMENT && (request.method === "GET" || request.method === "HEAD")) {
        document ??= JSON.stringify(managementDocument(deps.publicUrl));
        return new Response(document, { headers: { "content-type": "application/json" } });
      }
      const here = ROUTES.flatMap((route) => {
        const found = route.pattern.exec(path);
        return found ? [{ route, params: paramsOf(found) }] : [];
      });
      const method = request.method === "HEAD" ? "GET" : request.method;
      const found = here.find(({ route }) => route.method === method);
      if (found) return answer(request, clientAddress, found.route, found.params);
      if (here.length === 0)
        throw new AppError("validation_error", "There is nothing at this path.", { status: 404 });
      const allow = here.map(({ route }) => route.method).join(", ");
      throw new AppError("validation_error", `This path takes ${allow} only.`, { status: 405 });
    },
    routeOf: (request) =>
      ROUTES.find(({ pattern }) => pattern.test(pathOf(request)))?.path ?? MANAGEMENT_PATH,
  };
}

type Params = Readonly<Record<string, string>> & { readonly org?: string };

function paramsOf({ groups = {} }: RegExpExecArray): Params {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, text]) => [
        name === "org" ? name : camelName(name),
        decodeURIComponent(text),
      ]),
    );
  } catch {
    throw new AppError("validation_error", "There is nothing at this path.", { status: 404 });
  }
}

function queryInput(request: Request, operation: Operation): Record<string, unknown> {
  const fields = new Map(inputFields(operation).map((field) => [snakeName(field.name), field]));
  const input: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(queryOf(request))) {
    const field = fields.get(name);
    if (name in input) throw new AppError("validation_error", `${name}: must be sent once`, { field: name });
    // What is no field, or no value of its kind, the operation refuses by its name.
    input[name] = field ? (valueOfText(field, text) ?? text) : text;
  }
  return input;
}

function replyOf(output: unknown): Response {
  if (isFile(output)) {
    return new Response(output.body, {
      headers: {
        "content-type": output.mimeType,
        "content-disposition": `attachment; filename="${output.fileName}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }
  const response = jsonReply("", renamed(output, snakeName));
  // Set by the mount, which knows it.
  response.headers.delete("x-request-id");
  return response;
}

function isFile(output: unknown): output is FileReply {
  return (output as Partial<FileReply> | null)?.body instanceof ReadableStream;
}

const STATUSES = { not_found: 404, invalid: 400, conflict: 409 } as const;

/** In the ten codes of the API. */
function errorOf({ code, message, field, retryAfterSeconds }: Problem): AppError {
  switch (code) {
    case "forbidden":
      return new AppError("scope_denied", message);
    case "too_many":
      return new AppError("rate_limit_exceeded", message, retryAfterSeconds ? { retryAfterSeconds } : {});
    case "busy":
      return new AppError("internal_error", message, {
        status: 503,
        ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
      });
    default: {
      const named = field === undefined ? undefined : snakeName(field);
      const text = named === undefined ? message : `${named}: ${message}`;
      return new AppError("validation_error", text, {
        status: STATUSES[code],
        ...(named ? { field: named } : {}),
      });
    }
  }
}
