import type { TestGateway, TestOrganization } from "./harness.ts";

/**
 * What the route suite (`route-suite.test.ts`) must know of a route: a request that succeeds, and the ways in which its
 * own fields can be wrong.
 */
export type RouteCases = {
  readonly good: {
    readonly path: string;
    readonly body?: Readonly<Record<string, unknown>>;
    /** For a route that needs existing data: creates it for each request, and returns the query that names it. */
    query?(gateway: TestGateway, own: TestOrganization): Promise<string>;
  };
  /** Queries that succeed as well, with a reply of another shape. */
  readonly otherQueries?: readonly string[];
  /** Each differs from the good request in the fields given here. `says` is how the error message must begin. */
  readonly wrong: readonly WrongField[];
};

export type WrongField = {
  readonly name: string;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly status: number;
  readonly says: string;
};
