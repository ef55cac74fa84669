import type { z } from "zod";
import type { Model } from "../catalog/index.ts";
import type { Principal, Scope } from "../identity/index.ts";
import type { LiftedTexts } from "./body/lifted-fields.ts";
import type { Call } from "./context.ts";
import type { Query } from "./query.ts";

/** Which conventions a path follows; decides how its errors look. */
export type Wire = "native" | "openai";

/** Everything that a client may have written, guarded but not yet checked. */
type RequestInput = {
  readonly query: Query;
  readonly pathParams: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined on routes without a body. */
  readonly body: unknown;
  /** Values that were cut out of the body, see `liftedFields`. */
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

/** One that `Query.integer` reads. */
export function rangeParameter(
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback: number },
  description: string,
): RouteParameter {
  const schema = { type: "integer", minimum: range.min, maximum: range.max, default: range.fallback };
  return { name, in: "query", required: false, description, schema };
}

type RouteDocs = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly RouteParameter[];
  readonly body?: {
    readonly schema: z.ZodType;
    readonly example: object;
    /** Of the model in the example, without the prefix, which is a setting. */
    readonly alias?: string;
  };
  /** Strict: a reply with another field than these fails our tests. */
  readonly reply: z.ZodType;
  /** The reply to who asks for a stream. */
  readonly stream?: { readonly about: string; readonly example: string };
};

/**
 * One endpoint. The steps are called in the order of the contract and may throw `AppError`:
 * `decode` answers for the fields, `resolve` for the model, `handle` does the work.
 * Methods, so that routes of different fields stand in one table.
 */
export type ApiRoute<Fields = unknown, Target = unknown> = {
  readonly wire: Wire;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** The scope that the key must have; `any` asks for at least one of them. */
  readonly scope: Scope | "any";
  /** Spending routes are admitted by the ledger and take an Idempotency-Key; others by a count in memory. */
  readonly spends: boolean;
  /** Null: the route takes no body, and none is read. */
  readonly bodyLimitBytes: number | null;
  /** Fields whose values may be megabytes: read with `longTextOf`, since they are not parsed with the others. */
  readonly liftedFields?: readonly string[];
  /** Makes whole, in the parsed body itself, the texts that may have NUL or half a character in them; elsewhere these are refused. */
  readonly mendTexts?: (this: void, body: unknown) => void;
  readonly docs: RouteDocs;
  decode(input: RequestInput): Fields;
  resolve(fields: Fields, principal: Principal): Target;
  /** Of what `resolve` has found, for the log. */
  modelOf?(target: Target): Pick<Model, "id">;
  handle(call: Call, target: Target): Response | Promise<Response>;
};

/** Keeps the types of a route's steps together before it joins the table. */
export function defineRoute<Fields, Target>(route: ApiRoute<Fields, Target>): ApiRoute {
  return route;
}
