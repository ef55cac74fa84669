import { queryOf } from "../request-target.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Asker, Session } from "./accounts/accounts-session.ts";
import { parseCookies } from "./cookies.ts";

/** One request to the console, and the cookies that its reply will set. */
export type Ask = {
  readonly asker: Asker;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
  /** As sent by the page, not yet verified by the guard; empty if none was sent. */
  readonly pageToken: string;
  /** Looked up once, however often it is called. */
  session(): Promise<Session | null>;
  /** The same request with nothing known of its sender yet: for decisions made long after the request began. */
  anew(): Ask;
  setCookies(lines: readonly string[]): void;
};

const TOKEN_HEADER = "x-console-token";
const MAX_USER_AGENT_CHARS = 300;

type AskOptions = {
  request: Request;
  clientAddress: string;
  path: string;
  accounts: Accounts;
  /** Set-Cookie lines in order: of two with the same name the later one wins. */
  setCookies: string[];
};

export function createAsk(options: AskOptions): Ask {
  const { request, clientAddress, path, accounts, setCookies } = options;
  const cookie = request.headers.get("cookie") ?? "";
  const cookies = parseCookies(cookie);
  const userAgent = (request.headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT_CHARS);
  const asker = { cookie: cookies.size === 0 ? "" : cookie, userAgent, clientAddress };
  let session: Promise<Session | null> | undefined;

  /** A line that an earlier lookup of the same session already added is not repeated. */
  function addCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const before = setCookies.indexOf(line);
      if (before >= 0) setCookies.splice(before, 1);
      setCookies.push(line);
    }
  }

  async function findSession(): Promise<Session | null> {
    if (!cookies.has(accounts.cookieName)) return null;
    const found = await accounts.currentSession(asker);
    addCookies(found.cookies);
    return found.session;
  }

  return {
    asker,
    path,
    query: new URLSearchParams(queryOf(request)),
    cookies,
    pageToken: request.headers.get(TOKEN_HEADER) ?? "",
    session() {
      session ??= findSession();
      return session;
    },
    anew: () => createAsk(options),
    setCookies: addCookies,
  };
}
