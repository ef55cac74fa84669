import { z } from "zod";
import type { Model } from "../catalog/index.ts";
import type { Principal, Scope } from "../identity/index.ts";
import type { LiftedTexts } from "./body/lifted-fields.ts";
import type { Call } from "./context.ts";
import type { Query } from "./query.ts";

/** Which conventions a path follows; decides the format of its errors. */
export type Wire = "native" | "openai";

/** Everything that a client sent: within the size limits, but with no field validated yet. */
type RequestInput = {
  readonly query: Query;
  readonly pathParams: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined on routes without a body. */
  readonly body: unknown;
  /** Values that were cut out of the body; see `liftedFields`. */
  readonly lifted: LiftedTexts;
  readonly headers: Headers;
};

export type RouteParameter = {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
};

/** Gives schemas the names that they have in the API document, and so in generated clients. */
export function nameSchemas(schemas: Readonly<Record<string, z.ZodType>>): void {
  for (const [id, schema] of Object.entries(schemas)) schema.register(z.globalRegistry, { id });
}

/** A parameter that `Query.integer` reads. */
export function rangeParameter(
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback: number },
  description: string,
): RouteParameter {
  const schema = { type: "integer", minimum: range.min, maximum: range.max, default: range.fallback };
  return { name, in: "query", required: false, description, schema };
}

/** A parameter that restricts a list to what is the same, or lies between. */
export function filterParameter(
  name: string,
  description: string,
  schema: Readonly<Record<string, unknown>>,
): RouteParameter {
  return { name, in: "query", required: false, description, schema: { type: "string", ...schema } };
}

export const CURSOR_PARAMETER = filterParameter("cursor", "`next_cursor` of the previous page.", {
  minLength: 1,
});

type RouteLink = {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly description: string;
};

type RouteDocs = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly RouteParameter[];
  readonly body?: {
    readonly schema: z.ZodType;
    readonly example: object;
    /** Alias of the model in the example, without the prefix, which is a setting. */
    readonly alias?: string;
  };
  /** True for a job's state: while it runs, the reply says when to look again. */
  readonly isPoll?: boolean;
  /** Strict: a reply with any other field fails our tests. */
  readonly reply: z.ZodType;
  /** The reply if a stream is requested. */
  readonly stream?: { readonly about: string; readonly event: z.ZodType };
  /** Operations that take a value of the reply, as OpenAPI writes them. */
  readonly links?: Readonly<Record<string, RouteLink>>;
};

/**
 * One endpoint. The steps are called in this order and may throw `AppError`: `decode` validates the fields, `resolve`
 * finds the model, `handle` does the work. Methods, so that routes with different fields fit in one table.
 */
export type ApiRoute<Fields = unknown, Target = unknown> = {
  readonly wire: Wire;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** The scope that the key must have; `any` requires at least one, whichever. */
  readonly scope: Scope | "any";
  /** Spending routes are admitted by the ledger and take an Idempotency-Key; others by a count in memory. */
  readonly spends: boolean;
  /** Null: the route takes no body, and none is read. */
  readonly bodyLimitBytes: number | null;
  /** Fields whose values may be megabytes: they are cut out before the body is parsed. Read them with `longTextOf`. */
  readonly liftedFields?: readonly string[];
  /** Repairs, in the parsed body, texts that may contain NUL or lone surrogates; elsewhere these are refused. */
  readonly repairTexts?: (this: void, body: unknown) => void;
  readonly docs: RouteDocs;
  decode(input: RequestInput): Fields;
  resolve(fields: Fields, principal: Principal): Target;
  /** The model that `resolve` found, for the log. */
  modelOf?(target: Target): Pick<Model, "id">;
  handle(call: Call, target: Target): Response | Promise<Response>;
};

/** Checks the types of a route's steps against each other before it joins the table. */
export function defineRoute<Fields, Target>(route: ApiRoute<Fields, Target>): ApiRoute {
  return route;
}
