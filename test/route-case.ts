import type { TestGateway, TestOrganization } from "./harness.ts";

/** What the suite must know of a route: a request that succeeds, and the ways in which its own fields go wrong. */
export type RouteCases = {
  readonly good: {
    readonly path: string;
    readonly body?: Readonly<Record<string, unknown>>;
    /** For a route that needs something to be there: makes it anew for each request, and names it. */
    query?(gateway: TestGateway, own: TestOrganization): Promise<string>;
  };
  /** Queries that succeed as well, and are answered in another shape. */
  readonly otherQueries?: readonly string[];
  /** Each differs from the good one in what it names. `says` is how the message must begin. */
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
